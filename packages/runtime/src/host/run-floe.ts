import cluster from 'node:cluster'
import { type Environment, readEnvironment } from '@floe/config'
import type { Demo } from '@floe/contracts'
import { StartError } from '@floe/db'
import { createLogs, type Log } from '@floe/log'
import { becomeUser } from './become-user.ts'
import { compose, listBuilt, listMigrations } from './compose.ts'
import { startDemo } from './demo.ts'
import { openMetrics, openMetricsOfAll } from './metrics/open-metrics.ts'
import { openPlatform, readForeignSettings } from './platform.ts'
import { serve } from './serve.ts'
import type { OwnerTable, ServiceTable } from './service-table.ts'
import { isPrimary, PRIMARY_STOP_MS, startProcesses } from './share-port.ts'
import {
  createShutdown,
  endOnUnexpected,
  PROCESS_STOP_MS,
  type Shutdown,
  stopOnSignals,
} from './shutdown.ts'

export interface FloeOptions {
  services: ServiceTable
  /** The built web application. */
  webDirectory: string
  /** The built command line, one file. */
  commandLineFile: string
  /** For tests of a demo, which would wait for an hour. */
  demoResetMs?: number
}

/** Starts what the environment names; each part registers its own end as it begins. */
export async function runFloe(options: FloeOptions): Promise<void> {
  const result = readEnvironment(process.env)
  if ('problems' in result) {
    for (const { variable, message } of result.problems) console.error(`${variable}: ${message}`)
    process.exit(1)
  }
  const { environment } = result
  const service = environment.services.length === 1 ? environment.services[0] : 'floe'
  const logFor = createLogs({ level: environment.logLevel })
  const log = logFor(service ?? 'floe')
  const shutdown = createShutdown({ log })
  const hasOthers = isPrimary(environment)
  stopOnSignals(shutdown, log, { mostMs: hasOthers ? PRIMARY_STOP_MS : PROCESS_STOP_MS })
  endOnUnexpected(log)
  try {
    await becomeUser(environment)
    const context = { environment, log, logFor, shutdown, demo: null }
    const port = await (hasOthers ? startOthers(context) : startHere(options, context))
    log.info({ port, services: environment.services }, 'ready')
    // The process that started this one speaks for all of them.
    if (cluster.isWorker) return
    // A load balancer reads this line and stops sending requests here.
    shutdown.add('notice', () => console.log('Floe is stopping'))
    console.log(`Floe is ready at ${environment.publicUrl ?? `http://localhost:${port}`}`)
  } catch (error) {
    if (error instanceof StartError) console.error(error.message)
    else log.fatal({ err: error }, 'could not start')
    await shutdown.run()
    process.exit(1)
  }
}

interface Context {
  environment: Environment
  log: Log
  logFor(service: string): Log
  shutdown: Shutdown
  demo: Demo | null
}

async function startOthers({ environment, log, shutdown }: Context): Promise<number> {
  await openMetricsOfAll(environment, { log, shutdown })
  return startProcesses(environment, { log, shutdown })
}

function startHere(options: FloeOptions, context: Context): Promise<number> {
  if (!context.environment.isDemo) return startServices(options, context)
  return startDemo({
    ...context,
    resetEveryMs: options.demoResetMs,
    start: (round) => startServices(options, { ...context, ...round }),
  })
}

async function startServices(
  { services, webDirectory, commandLineFile }: FloeOptions,
  { environment, log, logFor, shutdown, demo }: Context,
): Promise<number> {
  await refuseWrongSettings(services.owners, environment)
  const metrics = await openMetrics(environment, { log, shutdown })
  const migrations = await listMigrations(services.owners, listBuilt(services.owners, environment))
  const platform = await openPlatform(environment, {
    log,
    logFor,
    metrics,
    demo,
    migrations,
    shutdown,
  })
  const composition = await compose(services, { environment, platform, shutdown })
  return serve({
    environment,
    platform,
    composition,
    migrations,
    shutdown,
    services,
    webDirectory,
    commandLineFile,
  })
}

/** Ahead of all that is created: only services know which settings there are, and what fits them. */
async function refuseWrongSettings(owners: OwnerTable, environment: Environment): Promise<void> {
  const { settings } = environment
  const foreignSettings = await readForeignSettings(environment)
  const found = listBuilt(owners, environment).map(async (name) => {
    const { findSettingProblems } = await owners[name].load()
    return findSettingProblems?.({ settings, foreignSettings }) ?? []
  })
  const problems = (await Promise.all(found)).flat()
  if (problems.length === 0) return
  throw new StartError(problems.map((one) => `SETTINGS or SETTINGS_FILE: ${one}`).join('\n'))
}
