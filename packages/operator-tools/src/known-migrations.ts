import { migrations as adminMigrations } from '@floe/admin'
import { migrations as authMigrations } from '@floe/auth'
import { type MigrateOptions, outboxMigrations } from '@floe/db'
import { migrations as fileMigrations } from '@floe/file'
import { limitMigrations } from '@floe/limits'
import { migrations as shareMigrations } from '@floe/share'

/** In the order in which a start applies them; what a store in S3 needs is its own. */
export const knownMigrations: readonly MigrateOptions[] = [
  { service: 'platform', migrations: outboxMigrations },
  { service: 'limits', migrations: limitMigrations },
  { service: 'admin', migrations: adminMigrations },
  { service: 'auth', migrations: authMigrations },
  { service: 'share', migrations: shareMigrations },
  { service: 'file', migrations: fileMigrations },
]
