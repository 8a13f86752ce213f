import { randomUUID } from 'node:crypto'

import { type RedisServer, reserveRedisServer } from '@floe/testing'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createRedisQueue } from './redis-queue.ts'
import { eventually } from './testing/eventually.ts'
import { quietLog as log } from './testing/open-queue.ts'
import { plainJob } from './testing/test-jobs.ts'

describe('job queue on Redis alone', () => {
  let server: RedisServer

  beforeEach(async () => {
    server = await reserveRedisServer()
  })
  afterEach(() => server.stop())

  it('responds in time while Redis is away and works once it is there', async () => {
    const queue = createRedisQueue({ redisUrl: server.url, log, timeoutMs: 300 })
    let runs = 0
    queue.consume([{ job: plainJob, handle: async () => void runs++ }])

    await expect(queue.enqueue(plainJob, { shareUid: randomUUID() })).rejects.toMatchObject({
      code: 'upstream_unavailable',
    })
    await server.start()
    await eventually('it takes a job', () => accepts(queue))

    await eventually('the job ran', () => runs > 0)
    await queue.close()
  })

  it('goes on after Redis was restarted', async () => {
    await server.start()
    const queue = createRedisQueue({ redisUrl: server.url, log, timeoutMs: 1_000 })
    let runs = 0
    queue.consume([{ job: plainJob, handle: async () => void runs++ }])
    await queue.enqueue(plainJob, { shareUid: randomUUID() })
    await eventually('a job ran', () => runs === 1)

    await server.stop()
    await server.start()
    await eventually('it takes a job', () => accepts(queue))

    await eventually('the job ran', () => runs >= 2)
    await queue.close()
  })

  it('holds one connection for adding jobs and two more for running them', async () => {
    await server.start()
    const queue = createRedisQueue({ redisUrl: server.url, log })
    await queue.enqueue(plainJob, { shareUid: randomUUID() })
    expect(await countClients(server.url)).toBe(1)

    queue.consume([{ job: plainJob, handle: () => Promise.resolve() }])
    await eventually('the job ran', async () => (await queue.counts()).completed === 1)

    expect(await countClients(server.url)).toBe(3)
    await queue.close()
    await eventually('all are closed', async () => (await countClients(server.url)) === 0)
  })
})

function accepts(queue: ReturnType<typeof createRedisQueue>): Promise<boolean> {
  return queue.enqueue(plainJob, { shareUid: randomUUID() }).then(
    () => true,
    () => false,
  )
}

/** Without the one that asks. */
async function countClients(url: string): Promise<number> {
  const redis = new Redis(url)
  try {
    const list = String(await redis.call('client', 'list'))
    return list.trim().split('\n').length - 1
  } finally {
    redis.disconnect()
  }
}
