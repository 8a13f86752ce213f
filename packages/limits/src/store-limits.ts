import { createHash } from 'node:crypto'
import { AppError } from '@floe/errors'
import type { RateLimiterRes, RateLimiterStoreAbstract } from 'rate-limiter-flexible'
import type { LimitState, RateLimit, RateLimits } from './rate-limits.ts'

/** The library counts in one of its stores; what all stores have in common is here. */
export function createStoreLimits({
  openLimiter,
}: {
  openLimiter: (limit: RateLimit) => RateLimiterStoreAbstract
}): RateLimits {
  const limiters = new Map<string, RateLimiterStoreAbstract>()

  function limiterOf(limit: RateLimit): RateLimiterStoreAbstract {
    const id = `${limit.name} ${limit.points} ${limit.windowSeconds}`
    const known = limiters.get(id)
    if (known) return known
    const limiter = openLimiter(limit)
    limiters.set(id, limiter)
    return limiter
  }

  return {
    spend: async (limit, key, points = 1) =>
      describeState(limit, await reach(limiterOf(limit).penalty(hashKey(key), points))),
    peek: async (limit, key) =>
      describeState(limit, await reach(limiterOf(limit).get(hashKey(key)))),
    forget: async (limit, key) => {
      await reach(limiterOf(limit).delete(hashKey(key)))
    },
  }
}

async function reach<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    throw new AppError('upstream_unavailable', { cause, detail: 'The limits cannot be counted' })
  }
}

function describeState(
  { points, windowSeconds }: RateLimit,
  counted: RateLimiterRes | null,
): LimitState {
  if (counted === null) return { isExceeded: false, spent: 0, remaining: points, resetMs: 0 }
  const spent = counted.consumedPoints
  return {
    isExceeded: spent > points,
    spent,
    remaining: Math.max(0, points - spent),
    // A replica whose clock lags must not promise more than a window.
    resetMs: Math.min(Math.max(0, counted.msBeforeNext), windowSeconds * 1_000),
  }
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
