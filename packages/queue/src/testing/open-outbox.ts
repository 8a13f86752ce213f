import {
  type Database,
  openDatabase,
  openPresence,
  outboxMigrations,
  type Presence,
} from '@floe/db'
import { createTestDatabase } from '@floe/testing'

/** A database with an outbox and nothing else, and a process that is present in it. */
export interface Outbox {
  url: string
  database: Database
  presence: Presence
  /** Closes both and drops the database. */
  remove(): Promise<void>
}

export async function openOutbox(): Promise<Outbox> {
  const { url, drop } = await createTestDatabase([
    { service: 'platform', migrations: outboxMigrations },
  ])
  const database = openDatabase({ url, maxConnections: 4 })
  const presence = await openPresence({ url })
  return {
    url,
    database,
    presence,
    remove: async () => {
      await presence.close()
      await database.close()
      await drop()
    },
  }
}
