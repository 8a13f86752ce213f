export type { Knex } from 'knex'
export { recordAuditEvents } from './audit-events.ts'
export { happeningSql, type NewHappening, recordHappenings } from './happenings.ts'
export { advisoryLockClass } from './advisory-locks.ts'
export {
  openDatabase,
  queryIn,
  type Database,
  type DatabaseOptions,
  type NamedStatement,
} from './database.ts'
export { borrowEmbeddedPostgres, hasEmbeddedDatabase } from './embedded/borrow.ts'
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresLog,
  type EmbeddedPostgresOptions,
} from './embedded/server.ts'
export { createJoinedReads } from './joined-reads.ts'
export {
  findPendingMigrations,
  findUpgrade,
  migrate,
  migrateAll,
  type MigrateOptions,
  type Migration,
  type ServiceMigration,
} from './migrate.ts'
export { appendEvents, appendEventSql, OUTBOX_CHANNEL, outboxMigrations } from './outbox.ts'
export {
  isInstanceAlive,
  listLiveInstances,
  notifyThrough,
  openPresence,
  type NotificationHandler,
  type Presence,
  type PresenceOptions,
} from './presence.ts'
export { containing, createSearchIndex } from './search.ts'
export {
  createOwnDataList,
  platformData,
  type StoredData,
  type StoredTable,
} from './stored-data.ts'
export { StartError } from './start-error.ts'
