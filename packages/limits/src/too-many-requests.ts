import { AppError } from '@floe/errors'
import type { LimitState, RateLimit } from './rate-limits.ts'

/** What tells a client how it stands to a limit, for any answer; times in whole seconds. */
export function limitHeaders(
  { points }: Pick<RateLimit, 'points'>,
  { remaining, resetMs }: Pick<LimitState, 'remaining' | 'resetMs'>,
): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(points),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetMs / 1_000)),
  }
}

/** The error to throw once a limit is used up; its answer says when to come back. */
export function tooManyRequests(limit: RateLimit, state: LimitState): AppError {
  const { name } = limit
  return new AppError('too_many_requests', {
    detail: `limit ${name}`,
    headers: {
      ...limitHeaders(limit, { remaining: 0, resetMs: state.resetMs }),
      // RFC 9110 §10.2.3; the window may have ended in this very moment.
      'Retry-After': String(Math.max(1, Math.ceil(state.resetMs / 1_000))),
    },
  })
}
