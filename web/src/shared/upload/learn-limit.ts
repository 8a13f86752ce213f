import { ERROR_CODE_HEADER } from '@floe/contracts'
import type { RequestLimit } from './request-limit.ts'

/** What tus-js-client reads before each request. */
export interface LimitedOptions {
  chunkSize?: number
  uploadDataDuringCreation?: boolean
}

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
  const isRefused = isProxyRefusal(error)
  const isWorthIt = isRefused && limit.refused(sentBytes)
  if (!error.originalResponse && attempt > 0 && isOnline) limit.lost(sentBytes)
  options.chunkSize = Math.min(chunkSize, limit.bytes())
  options.uploadDataDuringCreation = false
  return isRefused ? isWorthIt : null
}

/** What Floe refuses itself has a code. */
function isProxyRefusal({ originalResponse }: FailedRequest): boolean {
  return originalResponse?.getStatus() === 413 && !originalResponse.getHeader(ERROR_CODE_HEADER)
}
