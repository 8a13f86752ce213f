import type { Log } from '@floe/log'

const STEP_DEADLINE_MS = 4_000
/** A process is gone after this long, even if something hangs. */
export const PROCESS_STOP_MS = 9_500

export interface Shutdown {
  /** What was opened last is closed first. */
  add(name: string, close: () => Promise<void> | void, deadlineMs?: number): void
  /** Closes everything; a step that fails or hangs does not keep the others from being run. */
  run(): Promise<void>
}

export function createShutdown({ log }: { log: Log }): Shutdown {
  const steps: { name: string; close: () => Promise<void> | void; deadlineMs: number }[] = []
  let running: Promise<void> | null = null

  async function closeAll(): Promise<void> {
    for (let step = steps.pop(); step; step = steps.pop()) {
      const { name, close, deadlineMs } = step
      try {
        await within(deadlineMs, Promise.resolve(close()), name)
      } catch (error) {
        log.warn({ err: error, step: name }, 'a shutdown step failed')
      }
    }
  }

  return {
    add: (name, close, deadlineMs = STEP_DEADLINE_MS) => {
      steps.push({ name, close, deadlineMs })
    },
    run: () => {
      running ??= closeAll()
      return running
    },
  }
}

async function within(deadlineMs: number, work: Promise<void>, name: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} took over ${deadlineMs} ms`)), deadlineMs)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Ends the process like Node itself would, but by way of the log: Node prints the error with all
 * that hangs on it.
 */
export function endOnUnexpected(log: Pick<Log, 'fatal'>): void {
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'unexpected error; exiting')
    process.exit(1)
  })
}

/** A terminal and npm both pass on one Ctrl-C: what comes this soon after the first is an echo. */
const ECHO_MS = 1_000

/**
 * The first signal stops in order, one well after it at once. The process is gone in time even if
 * something hangs.
 */
export function stopOnSignals(
  shutdown: Shutdown,
  log: Log,
  { mostMs = PROCESS_STOP_MS }: { mostMs?: number } = {},
): void {
  let askedAt: number | null = null
  const stop = (signal: NodeJS.Signals) => {
    if (askedAt !== null) {
      if (performance.now() - askedAt > ECHO_MS) process.exit(1)
      return
    }
    askedAt = performance.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), mostMs).unref()
    void shutdown.run().then(() => process.exit(0))
  }
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
}
