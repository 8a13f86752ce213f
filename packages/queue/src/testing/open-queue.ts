import type { BullQueueOptions } from '../bull-queue.ts'
import type { JobQueue } from '../job-queue.ts'
import { createPostgresQueue } from '../postgres-queue.ts'
import { createRedisQueue } from '../redis-queue.ts'

export interface QueuePlace {
  kind: 'postgres' | 'redis'
  url: string
}

export const quietLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export function openQueueAt(
  { kind, url }: QueuePlace,
  options: Partial<BullQueueOptions> = {},
): Promise<JobQueue> {
  const all = { log: quietLog, ...options }
  return kind === 'postgres'
    ? createPostgresQueue({ databaseUrl: url, ...all })
    : Promise.resolve(createRedisQueue({ redisUrl: url, ...all }))
}
