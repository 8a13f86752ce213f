import type { Knex } from 'knex'

import { advisoryLockClass } from './advisory-locks.ts'
import type { Database } from './database.ts'

export interface Migration {
  /** Sortable and never changed once released, such as `0001-create-users`. */
  name: string
  up(knex: Knex): Promise<void>
}

export interface MigrateOptions {
  /** Names the ledger table `migrations_<service>`. */
  service: string
  /** Oldest first. */
  migrations: readonly Migration[]
}

/**
 * Applies what is missing, forward only, and returns the names it applied. All of them commit
 * together or not at all. Safe to call from several processes at once: one lock for all services,
 * because `create extension if not exists` races even between unrelated tables. Names in the
 * ledger that this build does not know are left alone, so an older replica can restart while a
 * newer one is being rolled out.
 */
export async function migrate(
  { knex }: Pick<Database, 'knex'>,
  { service, migrations }: MigrateOptions,
): Promise<string[]> {
  assertOrdered(service, migrations)
  const ledger = ledgerOf(service)

  return knex.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?, 0)', [advisoryLockClass.migration])
    await trx.raw(
      `create table if not exists ?? (
        name text primary key,
        applied_at timestamptz not null default now()
      )`,
      [ledger],
    )
    const pending = await findPending(trx, ledger, migrations)
    for (const migration of pending) {
      await migration.up(trx)
      await trx(ledger).insert({ name: migration.name })
    }
    return pending.map(({ name }) => name)
  })
}

/** Names of what is missing, without applying it. Rejects where nothing was ever applied. */
export async function findPendingMigrations(
  { knex }: Pick<Database, 'knex'>,
  { service, migrations }: MigrateOptions,
): Promise<string[]> {
  const pending = await findPending(knex, ledgerOf(service), migrations)
  return pending.map(({ name }) => name)
}

function ledgerOf(service: string): string {
  return `migrations_${service.replaceAll('-', '_')}`
}

async function findPending(
  trx: Knex,
  ledger: string,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const rows = await trx<{ name: string }>(ledger).select('name')
  const applied = new Set(rows.map(({ name }) => name))
  const pending = migrations.filter(({ name }) => !applied.has(name))
  const lastApplied = migrations.findLastIndex(({ name }) => applied.has(name))
  const late = pending.find((migration) => migrations.indexOf(migration) < lastApplied)
  if (late) {
    throw new Error(`Migration ${late.name} in ${ledger} comes before one already applied`)
  }
  return pending
}

function assertOrdered(service: string, migrations: readonly Migration[]): void {
  migrations.forEach(({ name }, index) => {
    const previous = migrations[index - 1]
    if (previous && previous.name >= name) {
      throw new Error(`Migrations of ${service} are out of order at ${name}`)
    }
  })
}
