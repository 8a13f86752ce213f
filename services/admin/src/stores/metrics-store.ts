import type { Database } from '@floe/db'
import type { MetricsStore } from '../domain/ports.ts'

interface FigureRow {
  day: string
  storage_bytes: number
  shares: number
  users: number
}

export function createMetricsStore({ knex }: Database): MetricsStore {
  return {
    async record(day, { storageBytes, shares, users }) {
      await knex('figures')
        .insert({ day, storage_bytes: storageBytes, shares, users })
        .onConflict('day')
        .merge()
    },

    async listSince(day) {
      const rows = await knex('figures')
        .where('day', '>=', day)
        .orderBy('day')
        // A date would arrive as the midnight of whatever time zone this process is in.
        .select<FigureRow[]>(knex.raw('day::text'), 'storage_bytes', 'shares', 'users')
      return rows.map((row) => ({
        day: row.day,
        storageBytes: row.storage_bytes,
        shares: row.shares,
        users: row.users,
      }))
    },
  }
}
