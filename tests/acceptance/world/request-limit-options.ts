import type { UploadOptions } from 'tus-js-client'

const LEAST_BYTES = 64_000
/** A lost connection may have another cause, so it makes requests no smaller than this. */
const LEAST_AFTER_LOSS_BYTES = 1_000_000
const retryDelays = [0, 1000, 3000, 5000, ...Array.from({ length: 360 }, () => 10_000)]
const noDelays = retryDelays.map(() => 0)

/** Options of tus-js-client 4 that find out how large a request may be. */
export const requestLimitOptions = {
  chunkSize: 100_000_000,
  retryDelays,
  onShouldRetry(error, attempt, options) {
    const status = error.originalResponse?.getStatus() ?? 0
    // What Floe itself refuses has a code.
    const isRefused = status === 413 && !error.originalResponse?.getHeader('X-Error-Code')
    // A smaller request has nothing to wait for.
    options.retryDelays = isRefused ? noDelays : retryDelays
    if (isRefused) return halve(options, LEAST_BYTES)
    if (status === 0 && attempt > 0) halve(options, LEAST_AFTER_LOSS_BYTES)
    return status < 400 || status >= 500 || status === 409 || status === 423
  },
} satisfies UploadOptions

/** False where a request is as small as it can be. */
function halve(options: UploadOptions, leastBytes: number): boolean {
  const { chunkSize = Infinity } = options
  if (chunkSize <= leastBytes) return false
  options.chunkSize = Math.max(leastBytes, Math.floor(chunkSize / 2))
  return true
}
