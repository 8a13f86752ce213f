import {
  listMigrations,
  listObjectMigrations,
  openInstalledObjects,
  type OwnerTable,
  planUpgrade,
} from '@floe/runtime/host'
import { type CommandContext, count, openInstalledDatabase, runCommand } from './command.ts'

/**
 * Does at once what each service would do for itself at its start: the tables of all of them, and the
 * bucket; see `bin/migrate.mjs`. Services may run meanwhile. A queue in PostgreSQL is the worker's.
 */
async function migrateInstallation(owners: OwnerTable, context: CommandContext): Promise<number> {
  const { environment } = context
  const upgrade = planUpgrade(environment, {
    migrations: [...(await listMigrations(owners)), ...(await listObjectMigrations(environment))],
    log: { info: (message) => console.log(message) },
  })
  const database = await openInstalledDatabase(context, upgrade)
  const applied = await upgrade.apply(database)
  await openInstalledObjects(environment, { database, ...context })
  for (const { service, name } of applied) console.log(`${service}: ${name}`)
  console.log(
    applied.length === 0 ? 'nothing to apply' : `applied ${count(applied.length, 'migration')}`,
  )
  return 0
}

/** Brings every table up to date; returns the exit code that `bin/migrate.mjs` describes. */
export function runMigrate(owners: OwnerTable): Promise<number> {
  return runCommand(
    { name: 'migrate', failure: 'The database could not be brought up to date' },
    (context) => migrateInstallation(owners, context),
  )
}
