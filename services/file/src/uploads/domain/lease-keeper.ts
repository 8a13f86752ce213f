import { AppError } from '@floe/errors'
import {
  type EvictionRequest,
  leaseChannels,
  parseEviction,
  requestEviction,
} from './lease-eviction.ts'
import { createLeaseHolder, type LeaseHolder, within } from './lease-holder.ts'
import { createLeaseWaiters, type LeaseWaiters } from './lease-waiters.ts'
import type { Lease, Presence, UploadProgress } from './upload-ports.ts'

/** How long the newest connection waits for the former one to let go, here or in another process. */
const TAKEOVER_TIMEOUT_MS = 10_000
/** A sender that was silent for so long may have gone without a word. */
const SILENCE_MS = 5_000

/** The signal of requests that no other can evict. */
const neverEvicted = new AbortController().signal

/**
 * `take`: from any holder. `append`: not from one whose sender is still heard, so that of two senders
 * at once the first one wins. `end`: as `take`, and cannot be evicted itself, because a newer request
 * would find nothing to write to.
 */
export type LeasePurpose = 'take' | 'append' | 'end'

export interface HeldLease extends Lease {
  /** Aborted when a newer connection wants the upload. */
  readonly signal: AbortSignal
  /** Its sender is there, now. */
  hear(): void
  /** Its sender has every response it waits for. */
  rest(): void
  /**
   * Ends the lease in this process; never fails. The row must have been released before, by a
   * checkpoint, a finish or a removal; `rowReleased: false` makes this do it.
   */
  end(options?: { rowReleased: boolean }): Promise<void>
}

/**
 * Who may write to an upload: one connection at a time. A stalled connection (a phone that changed
 * networks) must never lock its own sender out, so a newcomer that asks where the bytes end evicts
 * the holder, and one that sends evicts a silent one; it waits for an event, not in a loop. Across
 * processes the same happens by notification; the lease row's token keeps an evicted writer that
 * woke up late from saving anything.
 */
export interface LeaseKeeper {
  /**
   * Fails with `upload_not_found`, or `upload_interrupted` when a still newer connection came or,
   * to `append`, another one is sending.
   */
  acquire(uploadId: string, purpose: LeasePurpose): Promise<HeldLease>
  stop(): Promise<void>
}

export interface LeaseKeeperOptions {
  store: Pick<UploadProgress, 'acquireLease' | 'releaseLease'>
  presence: Presence
  takeoverTimeoutMs?: number
  silenceMs?: number
}

export async function createLeaseKeeper({
  store,
  presence,
  takeoverTimeoutMs = TAKEOVER_TIMEOUT_MS,
  silenceMs = SILENCE_MS,
}: LeaseKeeperOptions): Promise<LeaseKeeper> {
  const holders = new Map<string, LeaseHolder>()
  const waiters = createLeaseWaiters()
  const releases = createReleases({ store, presence })
  let isPresent = true

  const evictAll = () => holders.forEach((holder) => holder.evict())
  const setPresent = (value: boolean) => {
    isPresent = value
    // Others take this process for dead now and may write where it writes: stop before they do.
    if (!value) evictAll()
  }
  const stopWatching = [
    presence.onLost(() => setPresent(false)),
    presence.onRestored(() => setPresent(true)),
  ]
  const evictHere = createEviction({ holders, releases, presence })
  const stopListening = await Promise.all([
    presence.listen(leaseChannels.evict, (payload) => {
      const request = parseEviction(payload)
      if (request?.instanceKey === presence.instanceKey) void evictHere(request)
    }),
    presence.listen(leaseChannels.released, (uploadId) => waiters.notify(uploadId, 'released')),
    presence.listen(leaseChannels.kept, (uploadId) => waiters.notify(uploadId, 'kept')),
  ])

  async function acquire(uploadId: string, purpose: LeasePurpose): Promise<HeldLease> {
    if (!isPresent) throw new AppError('upload_interrupted', { detail: 'database connection lost' })
    const former = holders.get(uploadId)
    if (purpose === 'append' && former?.isHeard()) throw new AppError('upload_interrupted')
    const holder = createLeaseHolder({ former, isHeard: purpose === 'append', silenceMs })
    enter(holders, uploadId, holder)
    try {
      if (former) {
        former.evict()
        await within(takeoverTimeoutMs, former.released)
      }
      const row = { store, presence, waiters, uploadId, timeoutMs: takeoverTimeoutMs }
      const lease = await takeRow(row, {
        evicted: purpose === 'end' ? neverEvicted : holder.evicted,
        isAsking: purpose === 'append',
      })
      holder.token = lease.token
      return {
        ...lease,
        signal: holder.evicted,
        hear: holder.hear,
        rest: holder.rest,
        end: async ({ rowReleased } = { rowReleased: true }) => {
          // A row that could not be given back is this process's: it may take it again, and gives
          // it up when another asks (`createEviction`).
          if (!rowReleased) await store.releaseLease(lease).catch(() => undefined)
          holder.end()
          await releases.announce(uploadId)
        },
      }
    } catch (error) {
      holder.end()
      throw error
    }
  }

  return {
    acquire,
    stop: async () => {
      evictAll()
      await Promise.all([...holders.values()].map(({ released }) => released))
      stopWatching.forEach((stop) => stop())
      await Promise.all(stopListening.map((stop) => stop()))
    },
  }
}

/** The newest holder stands for the upload until it and all before it have let go. */
function enter(holders: Map<string, LeaseHolder>, uploadId: string, holder: LeaseHolder): void {
  holders.set(uploadId, holder)
  holder.released = holder.released.then(() => {
    if (holders.get(uploadId) === holder) holders.delete(uploadId)
  })
}

interface AwaitedRow {
  store: Pick<UploadProgress, 'acquireLease'>
  presence: Presence
  waiters: LeaseWaiters
  uploadId: string
  timeoutMs: number
}

/** Takes the row of the lease; asks the process that holds it to let go, and waits for that. */
async function takeRow(
  { store, presence, waiters, uploadId, timeoutMs }: AwaitedRow,
  { evicted, isAsking }: { evicted: AbortSignal; isAsking: boolean },
): Promise<Lease> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    if (evicted.aborted) throw new AppError('upload_interrupted')
    const taken = await store.acquireLease(uploadId)
    if (taken === 'absent') throw new AppError('upload_not_found')
    if ('upload' in taken) return taken
    if (Date.now() > deadline) {
      throw new AppError('upload_interrupted', { detail: 'the holder does not let go' })
    }
    const { heldBy: instanceKey, token } = taken
    if (instanceKey === null) continue
    const notice = waiters.next(uploadId, evicted)
    await requestEviction(presence, { instanceKey, token, uploadId, isAsking })
    if ((await notice) === 'kept' && isAsking) throw new AppError('upload_interrupted')
  }
}

interface Releases {
  /** Another process asked for the upload, and is told when it is released. */
  want(uploadId: string): void
  announce(uploadId: string): Promise<void>
  /** Gives back a row that nobody in this process knows to hold. */
  giveBack(uploadId: string, token: number): Promise<void>
}

/** Tells other processes of released uploads; only of those that one of them asked for. */
function createReleases({
  store,
  presence,
}: Pick<LeaseKeeperOptions, 'store' | 'presence'>): Releases {
  const wanted = new Set<string>()

  /** A waiting process looks again soon in any case, so a lost notification costs only a moment. */
  async function announce(uploadId: string): Promise<void> {
    if (!wanted.delete(uploadId)) return
    await presence.notify(leaseChannels.released, uploadId).catch(() => undefined)
  }

  return {
    want: (uploadId) => wanted.add(uploadId),
    announce,
    giveBack: async (uploadId, token) => {
      wanted.add(uploadId)
      await store.releaseLease({ upload: { id: uploadId }, token }).catch(() => undefined)
      await announce(uploadId)
    },
  }
}

/** Serves another process that wants an upload which this one holds. */
function createEviction({
  holders,
  releases,
  presence,
}: {
  holders: ReadonlyMap<string, LeaseHolder>
  releases: Releases
  presence: Presence
}): (request: EvictionRequest) => Promise<void> {
  return async ({ uploadId, token, isAsking }) => {
    const holder = holders.get(uploadId)
    // Nobody here knows the lease: giving it back failed once. The token keeps a later one safe.
    if (!holder) return releases.giveBack(uploadId, token)
    // One that waits for the row itself is not the holder that was meant.
    if (holder.token !== token) return
    if (isAsking && holder.isHeard()) {
      return presence.notify(leaseChannels.kept, uploadId).catch(() => undefined)
    }
    releases.want(uploadId)
    holder.evict()
  }
}
