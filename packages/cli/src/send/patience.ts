import { setTimeout as pause } from 'node:timers/promises'
import { FloeError } from '@floe/client'
import { describeFailure, isAttemptLimit, NetworkError } from '../failures.ts'
import { formatSeconds } from '../progress.ts'
import type { Terminal } from '../terminal.ts'

const pausesMs = [0, 1000, 3000, 5000]
/** Unless the server says when to come again. */
const LONGEST_PAUSE_MS = 10_000
/** Between two bytes. A server that wants to be left alone for longer is not waited for. */
const MOST_WAITING_MS = 600_000

/** Another client writes, or the server is busy or begins anew: asking again may help. */
const temporary = new Set([408, 409, 423, 425, 429, 502, 503, 504])

export function isTemporary(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  return error instanceof FloeError && temporary.has(error.status)
}

/** Hears of a failure that is waited after, and for how long. */
export type OnWait = (error: unknown, pauseMs: number) => void

export function sayWaiting(terminal: Terminal): OnWait {
  return (error, pauseMs) => {
    const when = formatSeconds(pauseMs / 1000)
    terminal.note(`${describeFailure(error).message}. Trying again in ${when}.`)
  }
}

/** Adds up the waiting without progress between, and waits longer after each failure. */
export interface Patience {
  /** Throws the error once there is no use in waiting. */
  afterFailure(error: unknown): Promise<void>
  /** Something got through. */
  progressed(): void
}

export function createPatience({ onWait }: { onWait?: OnWait } = {}): Patience {
  let failures = 0
  let waitedMs = 0
  return {
    async afterFailure(error) {
      if (!isTemporary(error) || isAttemptLimit(error)) throw error
      const usualMs = pausesMs[failures] ?? LONGEST_PAUSE_MS
      const pauseMs = Math.max(usualMs, 1000 * (retryAfterOf(error) ?? 0))
      failures += 1
      waitedMs += pauseMs
      if (waitedMs > MOST_WAITING_MS) throw error
      if (pauseMs > 0) onWait?.(error, pauseMs)
      await pause(pauseMs)
    },
    progressed() {
      failures = 0
      waitedMs = 0
    },
  }
}

function retryAfterOf(error: unknown): number | null {
  return error instanceof FloeError ? error.retryAfterSeconds : null
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
