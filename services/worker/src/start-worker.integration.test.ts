import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { jobs } from '@floe/contracts'
import {
  appendEvents,
  type Database,
  openDatabase,
  openPresence,
  outboxMigrations,
  type Presence,
} from '@floe/db'
import { createPostgresQueue, type JobQueue, startRelay } from '@floe/queue'
import type { JobConsumer } from '@floe/runtime'
import { createTestDatabase, type TestDatabase } from '@floe/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { workerService } from './index.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

describe('worker', () => {
  let test: TestDatabase
  let database: Database
  let presence: Presence
  let queue: JobQueue

  beforeEach(async () => {
    test = await createTestDatabase([{ service: 'platform', migrations: outboxMigrations }])
    database = openDatabase({ url: test.url, maxConnections: 2 })
    presence = await openPresence({ url: test.url })
    queue = await createPostgresQueue({ databaseUrl: test.url, log })
  })

  afterEach(async () => {
    await queue.close()
    await presence.close()
    await database.close()
    await test.drop()
  })

  const create = (consumers: readonly JobConsumer[]) =>
    workerService.create({
      platform: {
        consumers,
        queue,
        startRelay: () => startRelay({ database, presence, queue, recover: async () => {}, log }),
        log,
      },
      ports: {},
    })

  it('runs the schedules at its start and the jobs that events ask for', async () => {
    const ran: string[] = []
    const consumers = Object.values(jobs).map((job) => ({
      job,
      handle: async () => void ran.push(job.name),
    }))
    const worker = await create(consumers)

    await database.knex.transaction((trx) =>
      appendEvents(trx, [{ name: 'user.deleted', payload: { userId: randomUUID() } }]),
    )

    for (const { name } of [jobs.deleteUserShares, jobs.expireShares, jobs.reconcileObjects]) {
      await until(`${name} ran`, () => ran.includes(name))
    }
    await worker.stop()
  })

  it('tells running jobs to end when it stops', async () => {
    let began = false
    let ended = false
    const consumers = Object.values(jobs).map((job) => ({
      job,
      handle: async (_payload: unknown, { signal }: { signal: AbortSignal }) => {
        if (job.name !== jobs.expireShares.name) return
        began = true
        while (!signal.aborted) await sleep(5)
        ended = true
      },
    }))
    const worker = await create(consumers)
    await until('the job began', () => began)

    await worker.stop()

    expect(ended).toBe(true)
  })

  it('does not start when a job has no consumer', async () => {
    await expect(create([])).rejects.toThrow('expire-shares has no consumer')
  })
})

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`Not within ten seconds: ${what}`)
    await sleep(20)
  }
}
