import { hasBody, type RequestFraming } from '@floe/http'

/** Pauses before a request without a response is sent a second and a third time. */
const PAUSES_MS = [0, 200]

export interface FailedRequest {
  method: string
  framing: RequestFraming
  /** Sent before, without the first time. */
  retries: number
  /** The service cannot have seen any of it, and nothing of its body was read. */
  isUntouched: boolean
}

/** How long to wait before the request is sent again; null if it must not be (RFC 9110 §9.2.2). */
export function retryPauseMs({ method, framing, retries, isUntouched }: FailedRequest) {
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(method) && !hasBody(framing)
  return isSafe || isUntouched ? (PAUSES_MS[retries] ?? null) : null
}
