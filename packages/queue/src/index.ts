export type {
  Consumption,
  ConsumeOptions,
  EnqueueOptions,
  FailedJob,
  JobCounts,
  JobQueue,
  QueueConsumer,
  QueueLog,
  QueueMemory,
} from './job-queue.ts'
export { createPostgresQueue, type PostgresQueueOptions } from './postgres-queue.ts'
export { createRedisQueue, type RedisQueueOptions } from './redis-queue.ts'
export { type Relay, type RelayOptions, startRelay } from './relay.ts'
