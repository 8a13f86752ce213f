import { type Database, type Knex, recordAuditEvents } from '@floe/db'
import type { ConfigChange, StoredValue } from '../domain/config-values.ts'
import type { ConfigStore } from '../domain/ports.ts'

interface ConfigRow {
  key: string
  value: string
  updated_at: Date
}

export function createConfigStore({ knex }: Database): ConfigStore {
  return {
    async list() {
      const rows = await knex<ConfigRow>('config_values').select('key', 'value', 'updated_at')
      return rows.map(({ key, value, updated_at }): StoredValue => ({
        key,
        value,
        updatedAt: updated_at,
      }))
    },
    async apply(changes, { now, auditEvents }) {
      if (changes.length === 0) return
      await knex.transaction(async (trx) => {
        await applyChanges(trx, changes, now)
        await recordAuditEvents(trx, auditEvents)
      })
    },
  }
}

async function applyChanges(
  trx: Knex.Transaction,
  changes: readonly ConfigChange[],
  now: Date,
): Promise<void> {
  // One order for all, so that two saves at the same time wait instead of deadlocking.
  const ordered = [...changes].sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const { key, value } of ordered) {
    if (value === null) {
      await trx('config_values').where({ key }).delete()
    } else {
      await trx('config_values')
        .insert({ key, value, updated_at: now })
        .onConflict('key')
        .merge(['value', 'updated_at'])
    }
  }
}
