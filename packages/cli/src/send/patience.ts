import { setTimeout as pause } from 'node:timers/promises'
import { FloeError } from '@floe/client'
import { NetworkError } from '../failures.ts'

const pausesMs = [0, 1000, 3000, 5000]
const LONGEST_PAUSE_MS = 10_000
/** About ten minutes without a byte. */
const MOST_FAILURES = 64

/** Another client writes, or the server is busy or begins anew: asking again may help. */
const temporary = new Set([408, 409, 423, 425, 429, 502, 503, 504])

export function isTemporary(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  return error instanceof FloeError && temporary.has(error.status)
}

/** Counts failures without progress between, and waits longer after each. */
export interface Patience {
  /** Throws the error once there is no use in waiting. */
  afterFailure(error: unknown): Promise<void>
  /** Something got through. */
  progressed(): void
}

export function createPatience({
  onWait,
  most = MOST_FAILURES,
}: {
  onWait?: (error: unknown) => void
  most?: number
} = {}): Patience {
  let failures = 0
  return {
    async afterFailure(error) {
      failures += 1
      if (!isTemporary(error) || failures > most) throw error
      if (failures > 1) onWait?.(error)
      await pause(pausesMs[failures - 1] ?? LONGEST_PAUSE_MS)
    },
    progressed() {
      failures = 0
    },
  }
}

/** Repeats what may be repeated until it works, or can no longer. */
export async function persist<T>(work: () => Promise<T>, patience = createPatience()): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      await patience.afterFailure(error)
    }
  }
}
