import { randomUUID } from 'node:crypto'

import { type DomainEvent, type JobContract, jobs } from '@floe/contracts'
import { appendEvents } from '@floe/db'
import { reserveRedisServer } from '@floe/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobQueue } from './job-queue.ts'
import { createPostgresQueue } from './postgres-queue.ts'
import { createRedisQueue } from './redis-queue.ts'
import { type Relay, startRelay } from './relay.ts'
import { eventually } from './testing/eventually.ts'
import { openOutbox, type Outbox } from './testing/open-outbox.ts'
import { quietLog as log } from './testing/open-queue.ts'

describe('outbox relay', () => {
  let outbox: Outbox
  let queue: JobQueue
  let relays: Relay[]

  beforeEach(async () => {
    outbox = await openOutbox()
    queue = await createPostgresQueue({ databaseUrl: outbox.url, log })
    relays = []
  })

  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()))
    await queue.close()
    await outbox.remove()
  })

  async function relayTo(target: JobQueue, pollMs?: number): Promise<void> {
    const { database, presence } = outbox
    const options = { database, presence, queue: target, recover: () => done, log }
    relays.push(await startRelay(pollMs === undefined ? options : { ...options, pollMs }))
  }

  const append = (events: DomainEvent[], requestId?: string) =>
    outbox.database.knex.transaction((trx) => appendEvents(trx, events, requestId))

  async function countEvents(): Promise<number> {
    const [row] = await outbox.database.knex('outbox').count({ count: '*' })
    return Number(row?.count)
  }

  it('turns an event into its job as soon as its transaction commits', async () => {
    await relayTo(queue, 60_000)
    const { runs } = recordRuns(queue, jobs.deleteShareFiles)
    const shareUid = randomUUID()

    await append([{ name: 'share.deleted', payload: { shareUid, shareId: 'abc' } }])

    await eventually('the job runs', () => runs.length === 1, 2_000)
    expect(runs).toEqual([{ shareUid }])
    expect(await countEvents()).toBe(0)
  })

  it('never sees what was rolled back', async () => {
    await relayTo(queue, 50)
    const { runs } = recordRuns(queue, jobs.deleteShareFiles)
    const [never, always] = [randomUUID(), randomUUID()]

    const broken = outbox.database.knex.transaction(async (trx) => {
      await appendEvents(trx, [shareDeleted(never)])
      throw new Error('no')
    })
    await expect(broken).rejects.toThrow('no')
    await append([shareDeleted(always)])

    await eventually('a job ran', () => runs.length > 0)
    expect(runs).toEqual([{ shareUid: always }])
  })

  it('relays what was written while no relay ran, and drops events nobody reacts to', async () => {
    await append([
      shareDeleted(randomUUID()),
      { name: 'reverse-share.deleted', payload: { reverseShareId: randomUUID() } },
    ])

    await relayTo(queue)

    await eventually('the outbox is empty', async () => (await countEvents()) === 0)
    expect((await queue.counts()).waiting).toBe(1)
  })

  it('leaves events of a newer release to a relay that knows them', async () => {
    await outbox.database.knex('outbox').insert({ name: 'share.admired', payload: '{}' })
    await append([shareDeleted(randomUUID())])

    await relayTo(queue)

    await eventually('the known one is relayed', async () => (await countEvents()) === 1)
    expect(await outbox.database.knex('outbox').pluck('name')).toEqual(['share.admired'])
  })

  it('drops an event that does not fit its schema and goes on', async () => {
    await outbox.database
      .knex('outbox')
      .insert({ name: 'share.deleted', payload: '{"shareUid":1}' })
    await append([shareDeleted(randomUUID())])

    await relayTo(queue)

    await eventually('the outbox is empty', async () => (await countEvents()) === 0)
    expect((await queue.counts()).waiting).toBe(1)
  })

  it('makes a handful of jobs from the uploads of ten thousand files', async () => {
    await relayTo(queue)
    const { runs } = recordRuns(queue, jobs.hashShareFiles)
    const shareUid = randomUUID()

    for (let part = 0; part < 100; part++) {
      await append(
        Array.from({ length: 100 }, () => ({
          name: 'upload.finished' as const,
          payload: { shareUid, fileId: randomUUID() },
        })),
      )
    }

    await eventually('the outbox is empty', async () => (await countEvents()) === 0)
    await eventually('all jobs ran', async () => {
      const { waiting, active } = await queue.counts()
      return waiting + active === 0
    })
    expect(runs.length).toBeGreaterThan(0)
    expect(runs.length).toBeLessThan(20)
  })

  it('asks for work again that an event wants while the job already runs', async () => {
    await relayTo(queue)
    const shareUid = randomUUID()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let runs = 0
    queue.consume([{ job: jobs.deleteShareFiles, handle: () => (++runs === 1 ? released : done) }])
    await append([shareDeleted(shareUid)])
    await eventually('the first run began', () => runs === 1)

    await append([shareDeleted(shareUid)])
    await eventually('the event is relayed', async () => (await countEvents()) === 0)
    release()

    await eventually('it ran again', () => runs === 2)
  })

  it('keeps every event while the queue is away and relays them when it is back', async () => {
    const server = await reserveRedisServer()
    const redisQueue = createRedisQueue({ redisUrl: server.url, log, timeoutMs: 300 })
    try {
      await relayTo(redisQueue)
      const shareUids = Array.from({ length: 20 }, () => randomUUID())
      await append(shareUids.map(shareDeleted))
      await expect(
        redisQueue.enqueue(jobs.deleteShareFiles, { shareUid: randomUUID() }),
      ).rejects.toMatchObject({ code: 'upstream_unavailable' })
      expect(await countEvents()).toBe(20)

      await server.start()
      const { runs } = recordRuns(redisQueue, jobs.deleteShareFiles)

      await eventually('the outbox is empty', async () => (await countEvents()) === 0)
      await eventually('every job ran', () =>
        shareUids.every((shareUid) => runs.some((run) => shareUid === shareUidOf(run))),
      )
    } finally {
      await redisQueue.close()
      await server.stop()
    }
  })

  it('loses nothing when several relays share the work', async () => {
    const shareUids = Array.from({ length: 600 }, () => randomUUID())
    const { runs } = recordRuns(queue, jobs.deleteShareFiles, 20)
    for (let count = 0; count < 3; count++) await relayTo(queue)

    for (let start = 0; start < shareUids.length; start += 100) {
      await append(shareUids.slice(start, start + 100).map(shareDeleted))
    }

    await eventually('the outbox is empty', async () => (await countEvents()) === 0, 25_000)
    await eventually('every job ran', () => new Set(runs.map(shareUidOf)).size === 600, 25_000)
    expect(new Set(runs.map(shareUidOf))).toEqual(new Set(shareUids))
  })
})

const done = Promise.resolve()

function shareDeleted(shareUid: string): DomainEvent {
  return { name: 'share.deleted', payload: { shareUid, shareId: 'abc' } }
}

function shareUidOf(payload: unknown): string {
  return jobs.deleteShareFiles.schema.parse(payload).shareUid
}

function recordRuns(queue: JobQueue, job: JobContract, concurrency = 4): { runs: unknown[] } {
  const runs: unknown[] = []
  queue.consume([{ job, handle: async (payload) => void runs.push(payload) }], { concurrency })
  return { runs }
}
