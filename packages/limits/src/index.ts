export { createPostgresLimits, limitMigrations } from './postgres-limits.ts'
export { type LimitState, type RateLimit, type RateLimits } from './rate-limits.ts'
export { createRedisLimits, type RedisLimits } from './redis-limits.ts'
export { limitHeaders, tooManyRequests } from './too-many-requests.ts'
