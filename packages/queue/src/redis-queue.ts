import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'

import { type BullQueueOptions, createBullQueue } from './bull-queue.ts'
import { type JobEnvelope, queueName } from './job-options.ts'
import type { JobQueue } from './job-queue.ts'

export interface RedisQueueOptions extends BullQueueOptions {
  redisUrl: string
}

/**
 * Jobs in Redis, which must run with `maxmemory-policy noeviction`. One connection, and two more
 * while this process consumes. A Redis that is not there yet is waited for.
 */
export function createRedisQueue({ redisUrl, ...options }: RedisQueueOptions): JobQueue {
  const connections: Redis[] = []
  // BullMQ insists on waiting without an end; callers are protected by the queue's own deadline.
  function connect(): Redis {
    const redis = new Redis(redisUrl, {
      maxRetriesPerRequest: null,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    })
    redis.on('error', () => undefined)
    connections.push(redis)
    return redis
  }

  return createBullQueue(
    {
      openQueue: () =>
        new Queue<JobEnvelope, void, string>(queueName, {
          connection: connect(),
          // Nothing here reads the event stream.
          streams: { events: { maxLen: 100 } },
        }),
      openWorker: (process, workerOptions) =>
        new Worker<JobEnvelope, void, string>(queueName, process, {
          ...workerOptions,
          connection: connect(),
        }),
      // Its scripts are atomic.
      oneAtATime: (work) => work(),
      close: async () => connections.forEach((redis) => redis.disconnect()),
    },
    options,
  )
}
