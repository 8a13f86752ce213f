import { parseArgs } from 'node:util'
import { readEnvironment, type Environment } from '@floe/config'
import { borrowEmbeddedPostgres, openDatabase, StartError } from '@floe/db'
import { type CheckReport, openIntegrityCheck } from '@floe/file'
import { createLog, type Log } from '@floe/log'
import { openShareRegister } from '@floe/share'
import { describeDifference } from './describe-difference.ts'
import { openObjects } from './objects.ts'
import { createShutdown, type Shutdown } from './shutdown.ts'

const exitCodes = { same: 0, different: 1, unchecked: 2 } as const

/** Compares storage and database as the environment names them; see `bin/verify.mjs`. */
async function main(): Promise<number> {
  const log = createLog({ level: 'silent', service: 'verify' })
  const shutdown = createShutdown({ log })
  try {
    const signal = abortOnSignals()
    const isDeep = readArguments()
    const report = await check(readOrRefuse(), { isDeep, signal, log, shutdown })
    const { differences } = report
    for (const difference of differences) console.log(describeDifference(difference))
    console.log(summarize(report))
    return differences.length === 0 ? exitCodes.same : exitCodes.different
  } catch (error) {
    console.error(`Storage and database could not be compared: ${explain(error)}`)
    return exitCodes.unchecked
  } finally {
    await shutdown.run()
  }
}

/** Whatever was started for the check is ended in order. */
function abortOnSignals(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => stopping.abort(new StartError('the check was stopped.')))
  }
  return stopping.signal
}

function readArguments(): boolean {
  try {
    const { values } = parseArgs({ options: { deep: { type: 'boolean', default: false } } })
    return values.deep
  } catch (cause) {
    throw new StartError('the only option is --deep, which also reads every byte.', cause)
  }
}

function readOrRefuse(): Environment {
  const result = readEnvironment({ ...process.env, SERVICES: 'all' })
  if ('environment' in result) return result.environment
  throw new StartError(
    result.problems.map(({ variable, message }) => `${variable} ${message}`).join('; '),
  )
}

async function check(
  environment: Environment,
  {
    log,
    shutdown,
    ...look
  }: { isDeep: boolean; signal: AbortSignal; log: Log; shutdown: Shutdown },
): Promise<CheckReport> {
  const database = openDatabase({
    url: environment.databaseUrl ?? (await borrow(environment, log, shutdown)),
    maxConnections: 4,
    applicationName: 'floe-verify',
  })
  shutdown.add('database', () => database.close())
  const integrity = await openIntegrityCheck({
    database,
    objects: openObjects(environment),
    shares: openShareRegister(database),
  })
  return integrity.run(look)
}

async function borrow({ dataDirectory }: Environment, log: Log, shutdown: Shutdown) {
  const postgres = await borrowEmbeddedPostgres({ dataDir: dataDirectory, log })
  shutdown.add('postgres', () => postgres.stop())
  return postgres.url
}

function summarize({ fileCount, objectCount, differences }: CheckReport): string {
  const found =
    differences.length === 0 ? 'no differences' : count(differences.length, 'difference')
  return `checked ${count(fileCount, 'file')}, ${count(objectCount, 'object')}: ${found}`
}

/** 1204, 'file' → 1 204 files */
function count(amount: number, noun: string): string {
  return `${amount.toLocaleString('en').replaceAll(',', ' ')} ${noun}${amount === 1 ? '' : 's'}`
}

function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

process.exitCode = await main()
