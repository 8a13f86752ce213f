import type { Knex } from 'knex'

import { advisoryLockClass } from './advisory-locks.ts'
import type { Database } from './database.ts'
import { StartError } from './start-error.ts'

export interface Migration {
  /** Sortable and never changed once released, such as `0001-create-users`. */
  name: string
  /**
   * Builds that do not know this migration go on working with the tables as it leaves them, so they
   * may start after it was applied. Otherwise they refuse to start.
   */
  worksWithOlderBuilds?: boolean
  up(knex: Knex): Promise<void>
}

export interface MigrateOptions {
  /** Names the ledger table `migrations_<service>`. */
  service: string
  /** Oldest first. */
  migrations: readonly Migration[]
}

export interface ServiceMigration {
  service: string
  name: string
}

interface LedgerRow {
  name: string
  works: boolean
}

/** Applies what one service is missing, and returns the names; see `migrateAll`. */
export async function migrate(
  database: Pick<Database, 'knex'>,
  options: MigrateOptions,
): Promise<string[]> {
  return (await migrateAll(database, [options])).map(({ name }) => name)
}

/**
 * Applies what is missing, forward only, and returns what it applied. Those of all services
 * commit together or not at all. Safe to call from several processes at once: one lock for all
 * services, because `create extension if not exists` races even between unrelated tables. Rejects
 * with a `StartError` where a newer build changed the tables so that this one does not fit them.
 */
export async function migrateAll(
  { knex }: Pick<Database, 'knex'>,
  services: readonly MigrateOptions[],
): Promise<ServiceMigration[]> {
  services.forEach(assertOrdered)
  return knex.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?, 0)', [advisoryLockClass.migration])
    const plans: { one: MigrateOptions; pending: Migration[] }[] = []
    for (const one of services) {
      const rows = await readLedger(trx, one)
      refuseNewer(one, rows)
      plans.push({ one, pending: findPending(one, rows) })
    }
    for (const { one, pending } of plans) await apply(trx, ledgerOf(one), pending)
    return plans.flatMap(({ one, pending }) => namesOf(one, pending))
  })
}

async function apply(trx: Knex, ledger: string, pending: readonly Migration[]): Promise<void> {
  await trx.raw(
    `create table if not exists ?? (
      name text primary key,
      applied_at timestamptz not null default now()
    )`,
    [ledger],
  )
  for (const migration of pending) await migration.up(trx)
  if (pending.length === 0) return
  // As late as possible: it locks a table that the readiness of other processes reads.
  await trx.raw(
    'alter table ?? add column if not exists works_with_older_builds boolean not null default false',
    [ledger],
  )
  await trx(ledger).insert(
    pending.map(({ name, worksWithOlderBuilds = false }) => ({
      name,
      works_with_older_builds: worksWithOlderBuilds,
    })),
  )
}

/** Names of what is missing, without applying it. Rejects where nothing was ever applied. */
export async function findPendingMigrations(
  { knex }: Pick<Database, 'knex'>,
  options: MigrateOptions,
): Promise<string[]> {
  const rows = await knex<{ name: string }>(ledgerOf(options)).select('name')
  return findPending(options, rows).map(({ name }) => name)
}

/**
 * What `migrateAll` would apply to a database that another build has used; empty for one that none
 * has. Changes nothing, and rejects as `migrateAll` does.
 */
export async function findUpgrade(
  { knex }: Pick<Database, 'knex'>,
  services: readonly MigrateOptions[],
): Promise<ServiceMigration[]> {
  const pending: ServiceMigration[] = []
  let isUsed = false
  for (const one of services) {
    const rows = await readLedger(knex, one)
    refuseNewer(one, rows)
    isUsed ||= rows.length > 0
    pending.push(...namesOf(one, findPending(one, rows)))
  }
  return isUsed ? pending : []
}

function namesOf(
  { service }: MigrateOptions,
  migrations: readonly Migration[],
): ServiceMigration[] {
  return migrations.map(({ name }) => ({ service, name }))
}

function ledgerOf({ service }: MigrateOptions): string {
  return `migrations_${service.replaceAll('-', '_')}`
}

/** Through JSON, because ledgers of before 0.25 lack the column. */
async function readLedger(knex: Knex, options: MigrateOptions): Promise<LedgerRow[]> {
  const ledger = ledgerOf(options)
  if (!(await knex.schema.hasTable(ledger))) return []
  const { rows } = await knex.raw<{ rows: LedgerRow[] }>(
    `select name, coalesce((to_jsonb(entry) ->> 'works_with_older_builds')::boolean, false) as works
     from ?? as entry order by name`,
    [ledger],
  )
  return rows
}

function refuseNewer({ service, migrations }: MigrateOptions, applied: readonly LedgerRow[]): void {
  const known = new Set(migrations.map(({ name }) => name))
  const newer = applied.find(({ name, works }) => !works && !known.has(name))
  if (newer === undefined) return
  throw new StartError(
    `The database belongs to a newer version of Floe, whose migration ${newer.name} of the ${service} service is unknown to this one; start the newer version, or restore the backup made before the upgrade.`,
  )
}

function findPending(
  options: MigrateOptions,
  rows: readonly Pick<LedgerRow, 'name'>[],
): Migration[] {
  const { migrations } = options
  const applied = new Set(rows.map(({ name }) => name))
  const pending = migrations.filter(({ name }) => !applied.has(name))
  const lastApplied = migrations.findLastIndex(({ name }) => applied.has(name))
  const late = pending.find((migration) => migrations.indexOf(migration) < lastApplied)
  if (late) {
    throw new Error(
      `Migration ${late.name} in ${ledgerOf(options)} comes before one already applied`,
    )
  }
  return pending
}

function assertOrdered({ service, migrations }: MigrateOptions): void {
  migrations.forEach(({ name }, index) => {
    const previous = migrations[index - 1]
    if (previous && previous.name >= name) {
      throw new Error(`Migrations of ${service} are out of order at ${name}`)
    }
  })
}
