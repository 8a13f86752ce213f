import type { Presence } from '@floe/db'
import { AppError } from '@floe/errors'
import type { Lease, UploadStore } from './ports.ts'

const EVICT_CHANNEL = 'floe_upload_evict'
const RELEASED_CHANNEL = 'floe_upload_released'

/** How long the newest connection waits for the former one to let go, here or in another process. */
const TAKEOVER_TIMEOUT_MS = 10_000
/** A notification can be lost with its connection; look again this often. */
const RECHECK_MS = 250

interface Holder {
  evict(): void
  released: Promise<void>
}

export interface HeldLease extends Lease {
  /** Aborted when a newer connection wants the upload. */
  readonly signal: AbortSignal
  /**
   * Ends the lease in this process. The row must have been released before, by a checkpoint, a
   * finish or a removal; `rowReleased: false` makes this do it.
   */
  end(options?: { rowReleased: boolean }): Promise<void>
}

/**
 * Who may write to an upload: one connection at a time, and the newest wins. A stalled connection
 * (a phone that changed networks) must never lock its own sender out, so a newcomer evicts the
 * holder and waits for an event, not in a loop. Across processes the same happens by notification;
 * the lease row's token keeps an evicted writer that woke up late from saving anything.
 */
export interface LeaseKeeper {
  acquire(uploadId: string, options?: { discardsUnverified?: boolean }): Promise<HeldLease>
  /** Evicts whoever writes to the upload, here or elsewhere, without waiting. */
  evict(uploadId: string): Promise<void>
  stop(): Promise<void>
}

export interface LeaseKeeperOptions {
  store: UploadStore
  presence: Pick<Presence, 'listen' | 'notify'>
}

export async function createLeaseKeeper({
  store,
  presence,
}: LeaseKeeperOptions): Promise<LeaseKeeper> {
  const holders = new Map<string, Holder>()
  const waiters = new Map<string, Set<() => void>>()

  /** Uploads that another process asked for; only then is anybody there to be told. */
  const wanted = new Set<string>()

  const stopListening = await Promise.all([
    presence.listen(EVICT_CHANNEL, (uploadId) => {
      const holder = holders.get(uploadId)
      if (!holder) return
      wanted.add(uploadId)
      holder.evict()
    }),
    presence.listen(RELEASED_CHANNEL, (uploadId) =>
      waiters.get(uploadId)?.forEach((wake) => wake()),
    ),
  ])

  async function acquire(
    uploadId: string,
    { discardsUnverified = false }: { discardsUnverified?: boolean } = {},
  ): Promise<HeldLease> {
    const former = holders.get(uploadId)
    const eviction = new AbortController()
    const ended = deferred()
    const holder: Holder = { evict: () => eviction.abort(), released: ended.promise }
    holders.set(uploadId, holder)
    const endHere = () => {
      if (holders.get(uploadId) === holder) holders.delete(uploadId)
      ended.resolve()
    }
    try {
      if (former) {
        former.evict()
        await former.released
      }
      if (eviction.signal.aborted) throw new AppError('upload_interrupted')
      const lease = await takeRow(uploadId, discardsUnverified)
      return {
        ...lease,
        signal: eviction.signal,
        end: async ({ rowReleased } = { rowReleased: true }) => {
          try {
            if (!rowReleased) await store.releaseLease(lease)
          } finally {
            endHere()
          }
          await announceRelease(uploadId)
        },
      }
    } catch (error) {
      endHere()
      throw error
    }
  }

  async function takeRow(uploadId: string, discardsUnverified: boolean): Promise<Lease> {
    const deadline = Date.now() + TAKEOVER_TIMEOUT_MS
    for (;;) {
      const lease = await store.acquireLease(uploadId, { discardsUnverified })
      if (lease === 'absent') throw new AppError('upload_not_found')
      if (lease !== 'held') return lease
      if (Date.now() > deadline) throw new AppError('upload_interrupted')
      const released = nextRelease(uploadId)
      await presence.notify(EVICT_CHANNEL, uploadId)
      await released
    }
  }

  function nextRelease(uploadId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = waiters.get(uploadId) ?? new Set()
      waiters.set(uploadId, waiting)
      const wake = () => {
        clearTimeout(timer)
        waiting.delete(wake)
        if (waiting.size === 0) waiters.delete(uploadId)
        resolve()
      }
      const timer = setTimeout(wake, RECHECK_MS)
      waiting.add(wake)
    })
  }

  async function announceRelease(uploadId: string): Promise<void> {
    if (wanted.delete(uploadId)) await presence.notify(RELEASED_CHANNEL, uploadId)
  }

  return {
    acquire,
    evict: async (uploadId) => {
      holders.get(uploadId)?.evict()
      await presence.notify(EVICT_CHANNEL, uploadId)
    },
    stop: async () => {
      for (const holder of holders.values()) holder.evict()
      await Promise.all([...holders.values()].map(({ released }) => released))
      await Promise.all(stopListening.map((stop) => stop()))
    },
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
