import type { Log } from '@floe/log'

/** Something this process cannot do its work without; rejects while it is not there. */
export interface ReadinessCheck {
  name: string
  check(): Promise<unknown>
}

export interface Readiness {
  /** Does everything work that a request may need? */
  isReady(): Promise<boolean>
  /** The same of some checks only. */
  passes(names: readonly string[]): Promise<boolean>
  /** From now on nothing is ready: the process is stopping. */
  stop(): void
}

export interface ReadinessOptions {
  checks: readonly ReadinessCheck[]
  log: Pick<Log, 'info' | 'warn'>
  /** Requests within this time get the same result: anyone may ask, as often as they like. */
  freshMs?: number
  timeoutMs?: number
}

/**
 * Tells whether to send requests here. What is missing is told to the log, once, and not in the
 * response.
 */
export function createReadiness({
  checks,
  log,
  freshMs = 1_000,
  timeoutMs = 3_000,
}: ReadinessOptions): Readiness {
  let isStopping = false
  const probes = new Map(
    checks.map((check) => [check.name, createProbe({ check, log, freshMs, timeoutMs })]),
  )

  async function passes(names: Iterable<string>): Promise<boolean> {
    if (isStopping) return false
    const checks = await Promise.all(
      [...names].map((name) => probes.get(name)?.() ?? Promise.resolve(false)),
    )
    return !isStopping && checks.every((isThere) => isThere)
  }

  return {
    isReady: () => passes(probes.keys()),
    passes,
    stop: () => {
      isStopping = true
    },
  }
}

interface ProbeOptions extends Required<Omit<ReadinessOptions, 'checks'>> {
  check: ReadinessCheck
}

/** One question at a time: a part that does not respond is not asked again before it has. */
function createProbe({ check, log, freshMs, timeoutMs }: ProbeOptions): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null
  let known: { isThere: boolean; at: number } | null = null
  let wasThere = true

  function record(isThere: boolean, error?: unknown): boolean {
    known = { isThere, at: performance.now() }
    if (isThere !== wasThere) {
      if (isThere) log.info({ part: check.name }, 'dependency is available again')
      else log.warn({ part: check.name, err: error }, 'not ready: dependency unavailable')
    }
    wasThere = isThere
    return isThere
  }

  async function ask(): Promise<boolean> {
    try {
      await check.check()
      return record(true)
    } catch (error) {
      return record(false, error)
    } finally {
      asking = null
    }
  }

  return async () => {
    if (known !== null && performance.now() - known.at < freshMs) return known.isThere
    asking ??= ask()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => {
        resolve(record(false, new Error(`no response within ${timeoutMs} ms`)))
      }, timeoutMs)
    })
    try {
      return await Promise.race([asking, late])
    } finally {
      clearTimeout(timer)
    }
  }
}
