import { AppError } from '@floe/errors'

/** How long a server that timed out is left alone. */
const restMs = 15_000

export interface TimeoutGuard {
  /** Rejects with mail_unavailable at once while the server is known not to respond. */
  run<T>(server: string, work: () => Promise<T>): Promise<T>
}

/**
 * A server that swallows connections costs each message a timeout, and each timeout a place of the
 * worker that other jobs need. After the first one a single message at a time tries again; the
 * others go back to the queue at once.
 */
export function createTimeoutGuard({
  clock,
  isTimeout,
}: {
  clock: () => Date
  isTimeout: (error: unknown) => boolean
}): TimeoutGuard {
  const silent = new Map<string, { triesAgainAtMs: number }>()

  return {
    run: async (server, work) => {
      const rest = silent.get(server)
      if (rest !== undefined) {
        if (clock().getTime() < rest.triesAgainAtMs) {
          throw new AppError('mail_unavailable', { detail: `${server} did not respond lately` })
        }
        rest.triesAgainAtMs = Infinity
      }
      try {
        const result = await work()
        silent.delete(server)
        return result
      } catch (error) {
        if (isTimeout(error)) silent.set(server, { triesAgainAtMs: clock().getTime() + restMs })
        else silent.delete(server)
        throw error
      }
    },
  }
}
