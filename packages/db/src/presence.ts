import { randomInt } from 'node:crypto'

import type { Knex } from 'knex'
import pg from 'pg'

import { advisoryLockClass } from './advisory-locks.ts'
import { openSteadyConnection } from './steady-connection.ts'

export interface PresenceOptions {
  url: string
  applicationName?: string
  /** Hears about lost connections and failed attempts to come back. */
  onTrouble?: (error: unknown) => void
}

export type NotificationHandler = (payload: string) => void

/**
 * This process as others see it through the database: notifications in and out, and a key that
 * counts as alive for exactly as long as the connection does.
 */
export interface Presence {
  /** Random, positive, 31 bits; stays the same across reconnects. */
  readonly instanceKey: number
  /** Resolves once notifications can arrive; call the result to stop listening. */
  listen(channel: string, handler: NotificationHandler): Promise<() => Promise<void>>
  /** At most 8000 bytes of payload (PostgreSQL's limit). Delivered to this process as well. */
  notify(channel: string, payload: string): Promise<void>
  /** The connection is gone: for others this process is dead until `onRestored`. */
  onLost(handler: () => void): () => void
  /** Notifications sent while the connection was down are gone: look again at what they were about. */
  onRestored(handler: () => void): () => void
  close(): Promise<void>
}

export async function openPresence({
  url,
  applicationName = 'floe-presence',
  onTrouble,
}: PresenceOptions): Promise<Presence> {
  const instanceKey = randomInt(1, 2 ** 31 - 1)
  const handlers = new Map<string, Set<NotificationHandler>>()
  const lostHandlers = new Set<() => void>()
  const restoredHandlers = new Set<() => void>()

  const connection = await openSteadyConnection({
    url,
    applicationName,
    heartbeatMs: 15_000,
    ...(onTrouble && { onTrouble }),
    onLost: () => lostHandlers.forEach((handler) => handler()),
    onRestored: () => restoredHandlers.forEach((handler) => handler()),
    prepare: async (client) => {
      client.on('notification', ({ channel, payload }) =>
        handlers.get(channel)?.forEach((handler) => handler(payload ?? '')),
      )
      // Shared, so that a half-open former connection of ours cannot make this one wait.
      await client.query('select pg_advisory_lock_shared($1, $2)', [
        advisoryLockClass.presence,
        instanceKey,
      ])
      for (const channel of handlers.keys()) await client.query(listenTo(channel))
    },
  })

  return {
    instanceKey,
    listen: async (channel, handler) => {
      const existing = handlers.get(channel) ?? new Set()
      handlers.set(channel, existing.add(handler))
      await connection.query(listenTo(channel))
      return async () => {
        existing.delete(handler)
        if (existing.size > 0 || handlers.get(channel) !== existing) return
        handlers.delete(channel)
        await connection.query(`unlisten ${pg.escapeIdentifier(channel)}`)
      }
    },
    notify: async (channel, payload) => {
      await connection.query('select pg_notify($1, $2)', [channel, payload])
    },
    onLost: (handler) => {
      lostHandlers.add(handler)
      return () => lostHandlers.delete(handler)
    },
    onRestored: (handler) => {
      restoredHandlers.add(handler)
      return () => restoredHandlers.delete(handler)
    },
    close: () => connection.close(),
  }
}

/** Notifies from inside a transaction: delivered on commit, dropped on rollback. */
export async function notifyThrough(knex: Knex, channel: string, payload: string): Promise<void> {
  await knex.raw('select pg_notify(?, ?)', [channel, payload])
}

export async function isInstanceAlive(knex: Knex, instanceKey: number): Promise<boolean> {
  const keys = await listLiveInstances(knex)
  return keys.includes(instanceKey)
}

/** The instance keys of every process now present in this database. */
export async function listLiveInstances(knex: Knex): Promise<number[]> {
  const { rows } = await knex.raw<{ rows: { key: number }[] }>(
    `select distinct objid::bigint::int as key from pg_locks
     where locktype = 'advisory' and classid = ? and objsubid = 2 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [advisoryLockClass.presence],
  )
  return rows.map(({ key }) => key)
}

function listenTo(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`
}
