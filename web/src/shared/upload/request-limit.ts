/**
 * Where something on the way allows less than a whole file at once: what Cloudflare allows. Until
 * then files are not cut, because cutting them costs a fourth of the speed.
 */
const FIRST_LIMIT_BYTES = 100_000_000
/** A connection that dies may have any cause, so it makes requests no smaller than this. */
const LEAST_AFTER_LOSS_BYTES = 1_000_000
const LEAST_BYTES = 64_000

const KEY = 'floe-request-limit'
/** Somebody may have changed the proxy since. */
const REMEMBERED_MS = 7 * 86_400_000

/** How large a request may be on its way to this server, as far as this page has found out. */
export interface RequestLimit {
  bytes(): number
  /** A request of this size was refused by a proxy. False when none could be smaller. */
  refused(sentBytes: number): boolean
  /** The connection was lost in a request of this size, twice at the same place. */
  lost(sentBytes: number): void
  /** A file has arrived: what was found out is true, and is remembered. */
  confirm(): void
}

export function createRequestLimit({
  storage,
  now,
  mostBytes = Infinity,
}: {
  storage: Pick<Storage, 'getItem' | 'setItem'>
  now: () => number
  mostBytes?: number
}): RequestLimit {
  let bytes = Math.min(mostBytes, remembered(storage, now()))
  let isNew = false

  function halve(sentBytes: number, leastBytes: number): boolean {
    // Another file has found out since.
    if (sentBytes > bytes) return true
    if (sentBytes <= leastBytes) return false
    bytes = Math.max(leastBytes, Math.min(FIRST_LIMIT_BYTES, Math.floor(sentBytes / 2)))
    isNew = true
    return true
  }

  return {
    bytes: () => bytes,
    refused: (sentBytes) => halve(sentBytes, LEAST_BYTES),
    lost: (sentBytes) => void halve(sentBytes, LEAST_AFTER_LOSS_BYTES),
    confirm() {
      if (!isNew) return
      isNew = false
      try {
        storage.setItem(KEY, JSON.stringify({ bytes, foundAt: now() }))
      } catch {
        // A page that may not store finds out anew next time.
      }
    },
  }
}

function remembered(storage: Pick<Storage, 'getItem'>, nowMs: number): number {
  try {
    const { bytes, foundAt } = JSON.parse(storage.getItem(KEY) ?? '{}') as Record<string, unknown>
    const isValid = typeof bytes === 'number' && bytes >= LEAST_BYTES
    return isValid && typeof foundAt === 'number' && nowMs - foundAt < REMEMBERED_MS
      ? bytes
      : Infinity
  } catch {
    return Infinity
  }
}
