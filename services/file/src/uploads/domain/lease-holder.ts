import { AppError } from '@floe/errors'

/** One request of this process that holds an upload, or is about to. */
export interface LeaseHolder {
  readonly evicted: AbortSignal
  evict(): void
  /** Its sender is there, now. */
  hear(): void
  /** Its sender has every response it waits for. */
  rest(): void
  /** Its sender spoke a moment ago. */
  isHeard(): boolean
  /** Settles once this holder and every one before it have let go. */
  released: Promise<void>
  /** Lets go. */
  end(): void
  /** The row's token, once taken. */
  token: number | null
}

export interface LeaseHolderOptions {
  former: LeaseHolder | undefined
  isHeard: boolean
  silenceMs: number
}

export function createLeaseHolder({ former, isHeard, silenceMs }: LeaseHolderOptions): LeaseHolder {
  let heardAt = isHeard ? performance.now() : -Infinity
  const eviction = new AbortController()
  const ended = deferred()
  return {
    evicted: eviction.signal,
    evict: () => eviction.abort(),
    hear: () => {
      heardAt = performance.now()
    },
    rest: () => {
      heardAt = -Infinity
    },
    isHeard: () => performance.now() - heardAt < silenceMs,
    // A request that waits for this holder also waits for those it gave up waiting for: two writers
    // at once would mix their bytes.
    released: Promise.all([former?.released, ended.promise]).then(() => undefined),
    end: ended.resolve,
    token: null,
  }
}

/** Fails with `upload_interrupted` when the work takes longer. */
export async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
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
