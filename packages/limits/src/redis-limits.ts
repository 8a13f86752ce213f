import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { RateLimits } from './rate-limits.ts'
import { createStoreLimits } from './store-limits.ts'

const KEY_PREFIX = 'floe-limit'

export interface RedisLimits extends RateLimits {
  close(): Promise<void>
}

/**
 * Counts in Redis, in one step a call; Redis ends the windows and removes them. Connects with the
 * first call, and again after a loss. A call fails within `timeoutMs`.
 */
export function createRedisLimits({
  redisUrl,
  timeoutMs = 2_000,
}: {
  redisUrl: string
  timeoutMs?: number
}): RedisLimits {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  })
  // Each failing call says so itself.
  redis.on('error', () => undefined)
  const limits = createStoreLimits({
    openLimiter: ({ name, points, windowSeconds }) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `${KEY_PREFIX}:${name}`,
        points,
        duration: windowSeconds,
      }),
  })
  return {
    ...limits,
    close: async () => redis.disconnect(),
  }
}
