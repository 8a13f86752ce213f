import { z } from 'zod'

/**
 * Where something on the way allows less than a whole file at once: what Cloudflare allows. Until
 * then files are not cut, because cutting them costs a fourth of the speed.
 */
const FIRST_LIMIT_BYTES = 100_000_000
/** A connection that dies may have any cause, so it makes requests no smaller than this. */
const LEAST_AFTER_LOSS_BYTES = 1_000_000
const LEAST_BYTES = 64_000
/** Somebody may have changed the proxy since. */
const REMEMBERED_MS = 7 * 86_400_000

/** How large a request may be on its way to a server, as far as its sender has found out. */
export interface RequestLimit {
  bytes(): number
  /** A request of this size was refused by a proxy. False when none could be smaller. */
  refused(sentBytes: number): boolean
  /** The connection was lost in a request of this size, twice at the same place. */
  lost(sentBytes: number): void
}

export function createRequestLimit(knownBytes = Infinity): RequestLimit {
  let bytes = knownBytes

  function halve(sentBytes: number, leastBytes: number): boolean {
    // Another file has found out since.
    if (sentBytes > bytes) return true
    if (sentBytes <= leastBytes) return false
    bytes = Math.max(leastBytes, Math.min(FIRST_LIMIT_BYTES, Math.floor(sentBytes / 2)))
    return true
  }

  return {
    bytes: () => bytes,
    refused: (sentBytes) => halve(sentBytes, LEAST_BYTES),
    lost: (sentBytes) => void halve(sentBytes, LEAST_AFTER_LOSS_BYTES),
  }
}

/** A limit as it is kept between two visits. */
const foundLimitSchema = z.object({ bytes: z.number().min(LEAST_BYTES), foundAt: z.number() })
export type FoundLimit = z.output<typeof foundLimitSchema>

/** What was kept, while it is likely to hold; `Infinity` for anything else. */
export function readFoundLimit(kept: unknown, nowMs: number): number {
  const found = foundLimitSchema.safeParse(kept)
  return found.success && nowMs - found.data.foundAt < REMEMBERED_MS ? found.data.bytes : Infinity
}

/** What Floe refuses itself has a code. */
export function isProxyRefusal(status: number | undefined, errorCode: string | undefined): boolean {
  return status === 413 && !errorCode
}
