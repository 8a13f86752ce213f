import { AppError } from '@floe/errors'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'

import { type BullQueueOptions, createBullQueue, type NameCount } from './bull-queue.ts'
import { type JobEnvelope, queueName } from './job-options.ts'
import type { JobQueue, QueueMemory } from './job-queue.ts'

/** Redis knows the names only one by one. */
const mostRead = 10_000
const states = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const

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

  const redis = connect()
  const queue = new Queue<JobEnvelope, void, string>(queueName, {
    connection: redis,
    // Nothing here reads the event stream.
    streams: { events: { maxLen: 100 } },
  })

  async function countByName(): Promise<NameCount[]> {
    const counted = states.map(async (state) => {
      const ids = await queue.getRanges([state], 0, mostRead - 1)
      const pipeline = redis.pipeline()
      for (const id of ids) pipeline.hget(queue.toKey(id), 'name')
      const names = ((await pipeline.exec()) ?? []).map(([, name]) => name)
      // One that has just gone has no name any more.
      return names.flatMap((name) => (typeof name === 'string' ? [{ name, state, count: 1 }] : []))
    })
    return (await Promise.all(counted)).flat()
  }

  return createBullQueue(
    {
      openQueue: () => queue,
      countByName,
      openWorker: (process, workerOptions) =>
        new Worker<JobEnvelope, void, string>(queueName, process, {
          ...workerOptions,
          connection: connect(),
        }),
      memory: createMemory(redis, queue.toKey('mark')),
      // Its scripts are atomic.
      oneAtATime: (work) => work(),
      close: async () => connections.forEach((redis) => redis.disconnect()),
    },
    options,
  )
}

/** A key among the jobs: it is kept and forgotten as they are. */
function createMemory(redis: Redis, key: string): QueueMemory {
  const readRun = async () => /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1] ?? ''
  return {
    recall: async () => {
      // The run first: a start in between is seen when the mark is written.
      const run = await readRun()
      const mark = await redis.get(key)
      return { mark: mark === null ? null : Number(mark), run }
    },
    remember: async (mark, run) => {
      await redis.set(key, mark)
      if ((await readRun()) !== run) {
        throw new AppError('upstream_unavailable', { detail: 'Redis was started again meanwhile' })
      }
    },
  }
}
