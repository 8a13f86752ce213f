import { type ErrorCode, errorAnswerSchema, isErrorCode } from '@floe/contracts'

/** A refused or failed call. `status` 0 means that no answer came. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | null

  constructor({
    status,
    code,
    message,
  }: {
    status: number
    code: ErrorCode | null
    message: string
  }) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
  }
}

export async function readApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const answer = errorAnswerSchema.safeParse(body)
  if (!answer.success) {
    return new ApiError({ status: response.status, code: null, message: response.statusText })
  }
  const { code, message } = answer.data
  return new ApiError({
    status: response.status,
    code: isErrorCode(code) ? code : null,
    message: Array.isArray(message) ? message.join(', ') : message,
  })
}

export function hasCode(error: unknown, ...codes: ErrorCode[]): boolean {
  return error instanceof ApiError && error.code !== null && codes.includes(error.code)
}
