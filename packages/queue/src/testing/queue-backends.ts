import { createTestDatabase, type RedisServer, reserveRedisServer } from '@floe/testing'

import type { BullQueueOptions } from '../bull-queue.ts'
import type { JobQueue } from '../job-queue.ts'
import { openQueueAt, type QueuePlace } from './open-queue.ts'

/** A place for jobs that is empty at first and belongs to one test. */
export interface QueueHome extends QueuePlace {
  open(options?: Partial<BullQueueOptions>): Promise<JobQueue>
  /** Closes what was opened and removes everything. */
  remove(): Promise<void>
}

export interface QueueBackend {
  name: string
  setUp(): Promise<void>
  tearDown(): Promise<void>
  createHome(): Promise<QueueHome>
}

function createHomeAt(place: QueuePlace, removePlace: () => Promise<void>): QueueHome {
  const opened: JobQueue[] = []
  return {
    ...place,
    open: async (options) => {
      const queue = await openQueueAt(place, options)
      opened.push(queue)
      return queue
    },
    remove: async () => {
      await Promise.all(opened.map((queue) => queue.close()))
      await removePlace()
    },
  }
}

export const postgresBackend: QueueBackend = {
  name: 'PostgreSQL',
  setUp: () => Promise.resolve(),
  tearDown: () => Promise.resolve(),
  createHome: async () => {
    const database = await createTestDatabase()
    return createHomeAt({ kind: 'postgres', url: database.url }, () => database.drop())
  },
}

export function createRedisBackend(): QueueBackend {
  let server: RedisServer | undefined
  let homes = 0
  return {
    name: 'Redis',
    setUp: async () => {
      server = await reserveRedisServer()
      await server.start()
    },
    tearDown: async () => server?.stop(),
    createHome: () => {
      if (!server) throw new Error('Set the backend up first')
      const url = `${server.url}/${homes++}`
      return Promise.resolve(createHomeAt({ kind: 'redis', url }, () => Promise.resolve()))
    },
  }
}
