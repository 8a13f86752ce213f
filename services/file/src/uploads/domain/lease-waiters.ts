/** What a request that waits for a row hears of it. */
export type LeaseNotice = 'released' | 'kept' | 'unknown'

/** A notification can be lost with its connection; look again this often. */
const RECHECK_MS = 250

/** Requests of this process that wait for other processes to let go of an upload. */
export interface LeaseWaiters {
  notify(uploadId: string, notice: LeaseNotice): void
  /** The next notice about the upload; `unknown` after a moment, or when `evicted` aborts. */
  next(uploadId: string, evicted: AbortSignal): Promise<LeaseNotice>
}

export function createLeaseWaiters(): LeaseWaiters {
  const waiters = new Map<string, Set<(notice: LeaseNotice) => void>>()
  return {
    notify: (uploadId, notice) => waiters.get(uploadId)?.forEach((settle) => settle(notice)),
    next: (uploadId, evicted) =>
      new Promise((resolve) => {
        const waiting = waiters.get(uploadId) ?? new Set()
        waiters.set(uploadId, waiting)
        const giveUp = () => settle('unknown')
        const settle = (notice: LeaseNotice) => {
          clearTimeout(timer)
          evicted.removeEventListener('abort', giveUp)
          waiting.delete(settle)
          if (waiting.size === 0 && waiters.get(uploadId) === waiting) waiters.delete(uploadId)
          resolve(notice)
        }
        const timer = setTimeout(giveUp, RECHECK_MS)
        evicted.addEventListener('abort', giveUp)
        waiting.add(settle)
      }),
  }
}
