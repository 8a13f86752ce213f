import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DomainEvent, jobs } from '@floe/contracts'
import { appendEvents } from '@floe/db'
import { type RedisServer, reserveRedisServer } from '@floe/testing'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JobQueue } from './job-queue.ts'
import { createRedisQueue } from './redis-queue.ts'
import { type Relay, startRelay } from './relay.ts'
import { eventually } from './testing/eventually.ts'
import { openOutbox, type Outbox } from './testing/open-outbox.ts'
import { quietLog as log } from './testing/open-queue.ts'

let outbox: Outbox
let redis: RedisServer
let queue: JobQueue
let relays: Relay[]
let toClose: (() => Promise<unknown>)[]
/** What was run, and what recoveries ask for. */
let runs: string[]
let due: string[]
let recoveries: number

beforeEach(async () => {
  outbox = await openOutbox()
  relays = []
  toClose = []
  runs = []
  due = []
  recoveries = 0
})
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()))
  await queue.close()
  await redis.stop()
  for (const close of toClose) await close()
  await outbox.remove()
})

/** A Redis, and a queue in it whose jobs are run. */
async function openQueue(options: { keepsIn?: string } = {}): Promise<void> {
  redis = await reserveRedisServer(options)
  await redis.start()
  queue = createRedisQueue({ redisUrl: redis.url, log })
  queue.consume([
    {
      job: jobs.deleteShareFiles,
      handle: async (payload) => {
        runs.push(jobs.deleteShareFiles.schema.parse(payload).shareUid)
      },
    },
  ])
}

async function relay(): Promise<void> {
  const recover = async (trx: Parameters<typeof appendEvents>[0]) => {
    recoveries += 1
    await appendEvents(trx, due.map(shareDeleted))
  }
  const { database, presence } = outbox
  relays.push(await startRelay({ database, presence, queue, recover, log, pollMs: 50 }))
}

async function restart(): Promise<void> {
  await redis.stop()
  await redis.start()
}

function shareDeleted(shareUid: string): DomainEvent {
  return { name: 'share.deleted', payload: { shareUid, shareId: 'abc' } }
}

async function relayOne(): Promise<string> {
  const shareUid = randomUUID()
  const { knex } = outbox.database
  await knex.transaction((trx) => appendEvents(trx, [shareDeleted(shareUid)]))
  await eventually('it ran', () => runs.includes(shareUid))
  // It may run before its round has ended.
  await eventually('its round ended', async () => (await knex('outbox')).length === 0)
  return shareUid
}

/** What the queue remembers, changed by `difference` rounds. */
async function moveMark(difference: number): Promise<void> {
  const client = new Redis(redis.url)
  await client.incrby('bull:floe:mark', difference)
  client.disconnect()
}

test('a queue that comes back empty gets all that is due again, in one round', async () => {
  await openQueue()
  await relay()
  await relayOne()
  expect(recoveries).toBe(1)
  due = [randomUUID(), randomUUID()]
  await restart()
  await eventually('all ran', () => due.every((shareUid) => runs.includes(shareUid)))
  await relayOne()
  expect(recoveries).toBe(2)
})

test('a queue that kept everything is asked for nothing again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'floe-redis-'))
  toClose.push(() => rm(directory, { recursive: true }))
  await openQueue({ keepsIn: directory })
  await relay()
  await relayOne()
  await restart()
  await relayOne()
  expect(recoveries).toBe(1)
})

test.each([
  ['a queue that forgot its last jobs alone', -1],
  ['a queue with a round that was given to it and never noted', 1],
])('%s gets all that is due again', async (_what, difference) => {
  await openQueue()
  await relay()
  await relayOne()
  await relayOne()
  due = [randomUUID()]
  await moveMark(difference)
  await eventually('it ran', () => runs.includes(due[0] ?? ''))
  await relayOne()
  expect(recoveries).toBe(2)
})

test('of several relays one recovers', async () => {
  await openQueue()
  for (let count = 0; count < 3; count += 1) await relay()
  await relayOne()
  expect(recoveries).toBe(1)
  for (let round = 0; round < 20; round += 1) await relayOne()
  expect(recoveries).toBe(1)
  await restart()
  await relayOne()
  // A round that was cut by the restart asks again.
  const asked = recoveries
  expect(asked).toBeGreaterThan(1)
  for (let round = 0; round < 5; round += 1) await relayOne()
  expect(recoveries).toBe(asked)
})

test('a round during which Redis was started again is not taken for remembered', async () => {
  await openQueue()
  const { memory } = queue
  const { run = '' } = (await memory?.recall()) ?? {}
  await memory?.remember(1, run)
  expect(await memory?.recall()).toEqual({ mark: 1, run })
  await restart()
  await eventually('Redis responds', () => memory?.recall().catch(() => null))
  await expect(memory?.remember(2, run)).rejects.toMatchObject({ code: 'upstream_unavailable' })
})
