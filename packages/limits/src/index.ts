export { type LimitState, type RateLimit, type RateLimits } from './rate-limits.ts'
export { createPostgresLimits, limitMigrations } from './postgres-limits.ts'
export { createRedisLimits } from './redis-limits.ts'
