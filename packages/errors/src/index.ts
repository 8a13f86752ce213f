import { type ErrorCode, errorCatalogue } from '@floe/contracts'

export { isOutage } from './outage.ts'

export interface AppErrorOptions {
  /** What went wrong underneath; for the log. */
  cause?: unknown
  /** For the log only, never sent. */
  detail?: string
  /** Replaces the catalogue's message; placeholders are filled by `values` otherwise. */
  message?: string
  values?: Record<string, string | number>
  /** One sentence a field, for `validation_failed`. */
  issues?: readonly string[]
  /** Extra published members, such as `expectedChunkIndex`. */
  members?: PublishedMembers
  /** When the caller may try again with hope. */
  retryAfterSeconds?: number
  /** The rate limit that the call counts against. */
  rateLimit?: RateLimitUsage
}

export type PublishedMembers = Record<string, string | number | boolean>

/** How much of a rate limit a caller has left, and when all of it is free again. */
export interface RateLimitUsage {
  points: number
  remaining: number
  resetSeconds: number
}

/** The only error business code throws on purpose; it knows a code, not HTTP. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly detail: string | undefined
  readonly issues: readonly string[] | undefined
  readonly members: PublishedMembers | undefined
  readonly retryAfterSeconds: number | undefined
  readonly rateLimit: RateLimitUsage | undefined

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(
      options.message ?? fillIn(errorCatalogue[code].message, options.values ?? {}),
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.code = code
    this.detail = options.detail
    this.issues = options.issues
    this.members = options.members
    this.retryAfterSeconds = options.retryAfterSeconds
    this.rateLimit = options.rateLimit
  }
}

export function isAppError(value: unknown, code?: ErrorCode): value is AppError {
  return value instanceof AppError && (code === undefined || value.code === code)
}

function fillIn(message: string, values: Record<string, string | number>): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, key: string) =>
    Object.hasOwn(values, key) ? String(values[key]) : placeholder,
  )
}
