import {
  type Database,
  migrate,
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
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url, maxConnections: 4 })
  await migrate(database, { service: 'platform', migrations: outboxMigrations })
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
