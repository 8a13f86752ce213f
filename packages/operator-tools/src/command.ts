import { readEnvironment, type Environment } from '@floe/config'
import {
  borrowEmbeddedPostgres,
  type Database,
  findUpgrade,
  openDatabase,
  StartError,
} from '@floe/db'
import { createLog, type Log } from '@floe/log'
import { becomeUser, createShutdown, type Shutdown, type Upgrade } from '@floe/runtime/host'
import { knownMigrations } from './known-migrations.ts'

/** The parts that a command beside the server needs. */
export interface CommandContext {
  environment: Environment
  log: Log
  shutdown: Shutdown
  /** Aborts when somebody stops the command. */
  signal: AbortSignal
}

/**
 * Runs a command and returns its exit code; 2 with one sentence where it fails. What it started
 * is ended in order.
 */
export async function runCommand(
  { name, failure }: { name: string; failure: string },
  run: (context: CommandContext) => Promise<number>,
): Promise<number> {
  const log = createLog({ level: 'silent', service: name })
  const shutdown = createShutdown({ log })
  try {
    const stopping = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => stopping.abort(new StartError('it was stopped.')))
    }
    const environment = readOrRefuse()
    await becomeUser(environment)
    return await run({ environment, log, shutdown, signal: stopping.signal })
  } catch (error) {
    console.error(`${failure}: ${error instanceof Error ? error.message : String(error)}`)
    return 2
  } finally {
    await shutdown.run()
  }
}

function readOrRefuse(): Environment {
  const result = readEnvironment({ ...process.env, SERVICES: 'all' })
  if ('environment' in result) return result.environment
  throw new StartError(
    result.problems.map(({ variable, message }) => `${variable} ${message}`).join('; '),
  )
}

/**
 * The database of the installation, which is that of the Floe that runs if one does. One that a
 * newer build has changed is refused.
 */
export async function openInstalledDatabase(
  { environment: { databaseUrl, dataDirectory }, log, shutdown }: CommandContext,
  upgrade?: Upgrade,
): Promise<Database> {
  const borrow = async () => {
    const postgres = await borrowEmbeddedPostgres({
      dataDir: dataDirectory,
      log,
      ...(upgrade && { chooseCopy: (url: string) => upgrade.chooseCopy(url) }),
    })
    shutdown.add('postgres', () => postgres.stop())
    return postgres.url
  }
  const database = openDatabase({
    url: databaseUrl ?? (await borrow()),
    maxConnections: 4,
    applicationName: 'floe-command',
  })
  shutdown.add('database', () => database.close())
  await findUpgrade(database, knownMigrations)
  return database
}

/** 1204, 'file' → 1 204 files */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString('en').replaceAll(',', ' ')} ${noun}${amount === 1 ? '' : 's'}`
}
