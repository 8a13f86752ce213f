import { AppError, type RateLimitUsage } from '@floe/errors'
import type { LimitState, RateLimit } from './rate-limits.ts'

/** What a client is told of a limit, whether it is refused or not. */
export function rateLimitUsage(
  { points }: Pick<RateLimit, 'points'>,
  { remaining, resetMs }: Pick<LimitState, 'remaining' | 'resetMs'>,
): RateLimitUsage {
  return { points, remaining, resetSeconds: Math.ceil(resetMs / 1_000) }
}

/** The error to throw once a limit is used up; it says when to come back. */
export function tooManyRequests(limit: RateLimit, { resetMs }: LimitState): AppError {
  const rateLimit = rateLimitUsage(limit, { remaining: 0, resetMs })
  return new AppError('too_many_requests', {
    detail: `limit ${limit.name}`,
    rateLimit,
    // The window may have ended in this very moment.
    retryAfterSeconds: Math.max(1, rateLimit.resetSeconds),
  })
}
