import { AppError } from '@floe/errors'
import type { Lease, Presence, UploadStore } from './upload-ports.ts'

const EVICT_CHANNEL = 'floe_upload_evict'
const RELEASED_CHANNEL = 'floe_upload_released'
const KEPT_CHANNEL = 'floe_upload_kept'

/** How long the newest connection waits for the former one to let go, here or in another process. */
const TAKEOVER_TIMEOUT_MS = 10_000
/** A notification can be lost with its connection; look again this often. */
const RECHECK_MS = 250
/** A sender that was silent for so long may have gone without a word. */
const SILENCE_MS = 5_000

/** Of those who give way to nobody. */
const unmoved = new AbortController().signal

/**
 * `take`: from whoever has it. `append`: not from a sender that is still heard, so that of two who
 * send at once the first one wins. `end`: as `take`, and gives way to nobody, as whoever is newer
 * finds nothing to write to.
 */
export type LeasePurpose = 'take' | 'append' | 'end'

interface Holder {
  evict(): void
  /** Its sender spoke a moment ago. */
  isHeard(): boolean
  /** Settles once this holder and every one before it have let go. */
  released: Promise<void>
  /** The row's token, once taken. */
  token: number | null
}

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
  store: Pick<UploadStore, 'acquireLease' | 'releaseLease'>
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
  const holders = new Map<string, Holder>()
  const waiters = new Map<string, Set<(news: News) => void>>()
  /** Uploads that another process asked for; only then is anybody there to be told. */
  const wanted = new Set<string>()
  let isPresent = true

  const evictAll = () => holders.forEach((holder) => holder.evict())
  // Others take this process for dead now and may write where it writes: stop before they do.
  const stopWatching = [
    presence.onLost(() => {
      isPresent = false
      evictAll()
    }),
    presence.onRestored(() => {
      isPresent = true
    }),
  ]
  const stopListening = await Promise.all([
    presence.listen(EVICT_CHANNEL, (payload) => {
      const request = parseEviction(payload)
      if (request?.instanceKey === presence.instanceKey) void evictHere(request)
    }),
    presence.listen(RELEASED_CHANNEL, (uploadId) => tell(uploadId, 'released')),
    presence.listen(KEPT_CHANNEL, (uploadId) => tell(uploadId, 'kept')),
  ])

  function tell(uploadId: string, news: News): void {
    waiters.get(uploadId)?.forEach((wake) => wake(news))
  }

  async function acquire(uploadId: string, purpose: LeasePurpose): Promise<HeldLease> {
    if (!isPresent) throw new AppError('upload_interrupted', { detail: 'database connection lost' })
    const former = holders.get(uploadId)
    if (purpose === 'append' && former?.isHeard()) throw new AppError('upload_interrupted')
    let heardAt = purpose === 'append' ? performance.now() : -Infinity
    const eviction = new AbortController()
    const ended = deferred()
    const holder: Holder = {
      evict: () => eviction.abort(),
      isHeard: () => performance.now() - heardAt < silenceMs,
      // Whoever waits for this holder also waits for those it gave up waiting for: two writers
      // at once would mix their bytes.
      released: Promise.all([former?.released, ended.promise]).then(() => {
        if (holders.get(uploadId) === holder) holders.delete(uploadId)
      }),
      token: null,
    }
    holders.set(uploadId, holder)
    try {
      if (former) {
        former.evict()
        await within(takeoverTimeoutMs, former.released)
      }
      const lease = await takeRow(uploadId, {
        evicted: purpose === 'end' ? unmoved : eviction.signal,
        isAsking: purpose === 'append',
      })
      holder.token = lease.token
      return {
        ...lease,
        signal: eviction.signal,
        hear: () => {
          heardAt = performance.now()
        },
        rest: () => {
          heardAt = -Infinity
        },
        end: async ({ rowReleased } = { rowReleased: true }) => {
          // A row that could not be given back is this process's: it may take it again, and gives
          // it up when another asks (`evictHere`).
          if (!rowReleased) await store.releaseLease(lease).catch(() => undefined)
          ended.resolve()
          await announceRelease(uploadId)
        },
      }
    } catch (error) {
      ended.resolve()
      throw error
    }
  }

  async function takeRow(uploadId: string, { evicted, isAsking }: Manner): Promise<Lease> {
    const deadline = Date.now() + takeoverTimeoutMs
    for (;;) {
      if (evicted.aborted) throw new AppError('upload_interrupted')
      const taken = await store.acquireLease(uploadId)
      if (taken === 'absent') throw new AppError('upload_not_found')
      if ('upload' in taken) return taken
      if (Date.now() > deadline) {
        throw new AppError('upload_interrupted', { detail: 'the holder does not let go' })
      }
      if (taken.heldBy === null) continue
      const news = nextNews(uploadId, evicted)
      // Named, because everybody hears it, the sender too: only the present holder is meant.
      const holder = `${taken.heldBy} ${taken.token} ${uploadId}`
      await presence.notify(EVICT_CHANNEL, isAsking ? `${holder} ${IF_SILENT}` : holder)
      if ((await news) === 'kept' && isAsking) throw new AppError('upload_interrupted')
    }
  }

  async function evictHere({ uploadId, token, isAsking }: EvictionRequest): Promise<void> {
    const holder = holders.get(uploadId)
    if (holder) {
      // One that waits for the row itself is not the holder that was meant.
      if (holder.token !== token) return
      if (isAsking && holder.isHeard()) {
        return presence.notify(KEPT_CHANNEL, uploadId).catch(() => undefined)
      }
      wanted.add(uploadId)
      return holder.evict()
    }
    // Nobody here knows the lease: giving it back failed once. The token keeps a later one safe.
    wanted.add(uploadId)
    await store.releaseLease({ upload: { id: uploadId }, token }).catch(() => undefined)
    await announceRelease(uploadId)
  }

  function nextNews(uploadId: string, evicted: AbortSignal): Promise<News> {
    return new Promise((resolve) => {
      const waiting = waiters.get(uploadId) ?? new Set()
      waiters.set(uploadId, waiting)
      const look = () => wake('unknown')
      const wake = (news: News) => {
        clearTimeout(timer)
        evicted.removeEventListener('abort', look)
        waiting.delete(wake)
        if (waiting.size === 0 && waiters.get(uploadId) === waiting) waiters.delete(uploadId)
        resolve(news)
      }
      const timer = setTimeout(look, RECHECK_MS)
      evicted.addEventListener('abort', look)
      waiting.add(wake)
    })
  }

  /** Whoever waits looks again soon in any case, so a lost notification only costs a moment. */
  async function announceRelease(uploadId: string): Promise<void> {
    if (!wanted.delete(uploadId)) return
    await presence.notify(RELEASED_CHANNEL, uploadId).catch(() => undefined)
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

/** How a row is waited for. */
interface Manner {
  evicted: AbortSignal
  /** Leaves it to a holder whose sender is heard. */
  isAsking: boolean
}

/** What one who waits for a row hears of it. */
type News = 'released' | 'kept' | 'unknown'

/** At the end of a request for eviction that a holder with a sender may refuse. */
const IF_SILENT = 'if-silent'

interface EvictionRequest {
  instanceKey: number
  token: number
  uploadId: string
  isAsking: boolean
}

function parseEviction(payload: string): EvictionRequest | null {
  const [instanceKey, token, uploadId, condition] = payload.split(' ')
  if (uploadId === undefined) return null
  const isAsking = condition === IF_SILENT
  return { instanceKey: Number(instanceKey), token: Number(token), uploadId, isAsking }
}

/** Fails with `upload_interrupted` when the work takes longer. */
async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new AppError('upload_interrupted', { detail: 'the holder does not let go' })),
      timeoutMs,
    )
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
