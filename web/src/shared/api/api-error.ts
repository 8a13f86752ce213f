import { ERROR_CODE_HEADER, type ErrorCode, errorResponseSchema } from '@floe/contracts'

interface Refusal {
  status: number
  code: string | null
  message: string
  retryAfterSeconds?: number | null
  isEncrypted?: boolean
}

/** A refused or failed call. `status` 0 means that no response came. */
export class ApiError extends Error {
  readonly status: number
  /** One of the contracts', unless the server is of another version. */
  readonly code: string | null
  /** When the server would hear the call again, where it said so. */
  readonly retryAfterSeconds: number | null
  /** What was refused is an encrypted share. */
  readonly isEncrypted: boolean

  constructor(refusal: Refusal) {
    const { status, code, message, retryAfterSeconds = null, isEncrypted = false } = refusal
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.isEncrypted = isEncrypted
  }
}

/** The server redirects to a page instead of sending JSON, as it does for browsers without scripts. */
export class RedirectedError extends Error {
  constructor() {
    super('The response is a redirect')
    this.name = 'RedirectedError'
  }
}

export async function readApiError(response: Response): Promise<ApiError> {
  const { status, headers, statusText } = response
  const body: unknown = await response.json().catch(() => null)
  const error = errorResponseSchema.safeParse(body)
  // Some bodies are those of another product and have no place for a code.
  const code = error.success ? error.data.code : headers.get(ERROR_CODE_HEADER)
  const message = error.success ? error.data.message : statusText
  const retryAfterSeconds = Number(headers.get('Retry-After'))
  return new ApiError({
    status,
    code,
    message: Array.isArray(message) ? message.join(', ') : message,
    retryAfterSeconds: retryAfterSeconds > 0 ? retryAfterSeconds : null,
    isEncrypted: error.data?.encrypted === true,
  })
}

export function hasCode(error: unknown, ...codes: ErrorCode[]): boolean {
  return error instanceof ApiError && codes.some((code) => code === error.code)
}
