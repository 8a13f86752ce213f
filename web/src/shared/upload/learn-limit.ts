import { ERROR_CODE_HEADER, isProxyRefusal, type RequestLimit } from '@floe/contracts'

/** What tus-js-client reads before each request. */
export interface LimitedOptions {
  chunkSize?: number
  uploadDataDuringCreation?: boolean
  retryDelays?: number[] | null
}

const DAY_OF_RETRIES = 8640
/** How long tus-js-client waits before each attempt. */
export const retryDelays = [
  ...[0, 1000, 3000, 5000],
  ...Array.from({ length: DAY_OF_RETRIES }, () => 10_000),
]
const noDelays = retryDelays.map(() => 0)

interface FailedRequest {
  /** Null where the connection was lost. */
  originalResponse: {
    getStatus(): number
    getHeader(name: string): string | undefined
  } | null
}

/**
 * Whether the request failed for its size, and another of half the size is worth a try: null where
 * its size was not the reason.
 */
export function learnLimit({
  limit,
  options,
  error,
  attempt,
  bytesLeft,
  isOnline,
}: {
  limit: RequestLimit
  /** Changed, so that the next request is small enough. */
  options: LimitedOptions
  error: FailedRequest
  /** How often the upload has failed at the same place before. */
  attempt: number
  bytesLeft: number
  isOnline: boolean
}): boolean | null {
  const { chunkSize = Infinity } = options
  const sentBytes = Math.min(chunkSize, bytesLeft)
  const { originalResponse: response } = error
  const isRefused = isProxyRefusal(response?.getStatus(), response?.getHeader(ERROR_CODE_HEADER))
  const isWorthIt = isRefused && limit.refused(sentBytes)
  if (!response && attempt > 0 && isOnline) limit.lost(sentBytes)
  options.chunkSize = Math.min(chunkSize, limit.bytes())
  options.uploadDataDuringCreation = false
  // A smaller request has nothing to wait for: the proxy is there, and has said what it wants.
  options.retryDelays = isWorthIt ? noDelays : retryDelays
  return isRefused ? isWorthIt : null
}
