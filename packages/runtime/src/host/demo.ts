import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '@floe/config'
import { configCatalogue, type Demo } from '@floe/contracts'
import { StartError } from '@floe/db'
import type { Log } from '@floe/log'
import { createShutdown, PROCESS_STOP_MS, type Shutdown } from './shutdown.ts'

const HOUR_MS = 3_600_000
/** Says that everything beside it may be deleted. */
const MARK = 'demo'

export interface DemoOptions {
  environment: Environment
  log: Log
  shutdown: Shutdown
  /** An hour, except in tests. */
  resetEveryMs?: number | undefined
  start(round: { environment: Environment; shutdown: Shutdown; demo: Demo }): Promise<number>
}

/**
 * Runs Floe over an empty data directory, and again over an empty one at each full hour, in the same
 * process and at the same port. Returns the port.
 */
export async function startDemo(options: DemoOptions): Promise<number> {
  const { log, shutdown, start, resetEveryMs = HOUR_MS } = options
  const { dataDirectory } = options.environment
  const demo: Demo = { username: 'demo', password: 'floe-for-an-hour', resetEveryMs }
  const environment = { ...options.environment, settings: demoSettings(options.environment) }
  let round = createShutdown({ log })
  let timer: NodeJS.Timeout | undefined
  let resetting: Promise<void> | null = null
  let isStopping = false
  const stop = async () => {
    isStopping = true
    clearTimeout(timer)
    await resetting
    await round.run()
  }
  shutdown.add('demo', stop, PROCESS_STOP_MS)

  async function begin(port: number): Promise<number> {
    await clearDirectory(dataDirectory)
    round = createShutdown({ log })
    return start({ environment: { ...environment, port }, shutdown: round, demo })
  }

  async function reset(port: number): Promise<void> {
    log.info('deleting everything in this demo')
    await round.run()
    if (isStopping) return
    await begin(port)
    planReset(port)
  }

  function planReset(port: number): void {
    const now = Date.now()
    timer = setTimeout(
      () => {
        resetting = reset(port).catch(async (error: unknown) => {
          log.fatal({ err: error }, 'the demo could not start again')
          await round.run()
          process.exit(1)
        })
      },
      nextReset(now, resetEveryMs) - now,
    )
  }

  await claimDirectory(dataDirectory)
  const port = await begin(environment.port)
  planReset(port)
  return port
}

/** At full hours of UTC. */
export function nextReset(nowMs: number, everyMs: number): number {
  return (Math.floor(nowMs / everyMs) + 1) * everyMs
}

/**
 * Small limits, and nothing that reaches outward: these hold whatever an administrator of the demo
 * does. Mail counts as set up, and goes nowhere.
 */
export function demoSettings({
  settings,
  publicUrl,
}: Pick<Environment, 'settings' | 'publicUrl'>): Environment['settings'] {
  const outward = Object.entries(configCatalogue)
    .filter(([key]) => /^(?:smtp|oauth)\./.test(key))
    .map(([key, variable]) => [key, variable.default] as const)
  return {
    ...settings,
    ...Object.fromEntries(outward),
    'smtp.enabled': true,
    'smtp.host': 'mail.invalid',
    'smtp.port': 25,
    'smtp.email': 'demo@mail.invalid',
    'general.releaseRepository': '',
    ...(publicUrl !== null && { 'general.appUrl': publicUrl }),
    'share.maxSize': 100_000_000,
    'share.userStorageLimit': 200_000_000,
    'share.totalStorageLimit': 5_000_000_000,
    'share.maxExpiration': 1,
    'share.defaultExpiration': 1,
    'share.fileRetentionPeriod': 0,
    // Here anybody is an administrator.
    'share.adminsMayExceedExpiration': false,
  }
}

/** Refuses a folder that has the data of an installation that is no demo. */
export async function claimDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  const names = await readdir(directory)
  if (names.length > 0 && !names.includes(MARK)) {
    throw new StartError(
      `DEMO deletes everything in ${directory}, which was not made by a demo: set DATA_DIR to an empty folder, or leave out DEMO.`,
    )
  }
  await writeFile(join(directory, MARK), 'Everything in this folder is deleted each hour.\n')
}

export async function clearDirectory(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name !== MARK) await rm(join(directory, name), { recursive: true, maxRetries: 3 })
  }
}
