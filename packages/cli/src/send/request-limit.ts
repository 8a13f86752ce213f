import { ERROR_CODE_HEADER } from '@floe/contracts'
import { CliError } from '../failures.ts'
import type { Answer } from '../send-request.ts'

/** What Cloudflare allows: where something on the way refuses a whole file, the first guess. */
const FIRST_LIMIT_BYTES = 100_000_000
/** A connection that dies may have any cause, so it makes requests no smaller than this. */
const LEAST_AFTER_LOSS_BYTES = 1_000_000
const LEAST_BYTES = 64_000

/** How large a request to this server may be, as far as it is known. */
export interface RequestLimit {
  readonly bytes: number
  /** A proxy refused a request of this size. False when none could be smaller. */
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
    get bytes() {
      return bytes
    },
    refused: (sentBytes) => halve(sentBytes, LEAST_BYTES),
    lost: (sentBytes) => void halve(sentBytes, LEAST_AFTER_LOSS_BYTES),
  }
}

/** What Floe refuses itself has a code. */
export function isProxyRefusal({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean {
  return status === 413 && headers[ERROR_CODE_HEADER.toLowerCase()] === undefined
}

export function refusedByProxy(): CliError {
  return new CliError('A proxy in front of the server refuses requests, even of 64 kB.')
}
