import { randomUUID } from 'node:crypto'

import { openDatabase } from '@floe/db'
import { createTestDatabase, type TestDatabase } from '@floe/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createPostgresQueue } from './postgres-queue.ts'
import { eventually } from './testing/eventually.ts'
import { quietLog as log } from './testing/open-queue.ts'
import { plainJob } from './testing/test-jobs.ts'

describe('job queue on PostgreSQL alone', () => {
  let test: TestDatabase

  beforeEach(async () => {
    test = await createTestDatabase()
  })
  afterEach(() => test.drop())

  async function askServer<T>(statement: string): Promise<T[]> {
    const database = openDatabase({ url: test.url, maxConnections: 1 })
    try {
      return (await database.knex.raw<{ rows: T[] }>(statement)).rows
    } finally {
      await database.close()
    }
  }

  it('sets up an empty database although eight processes start together', async () => {
    const queues = await Promise.all(
      Array.from({ length: 8 }, () => createPostgresQueue({ databaseUrl: test.url, log })),
    )

    await Promise.all(queues.map((queue) => queue.enqueue(plainJob, { shareUid: randomUUID() })))

    expect((await queues[0]?.counts())?.waiting).toBe(8)
    await Promise.all(queues.map((queue) => queue.close()))
  })

  it('rejects when the database cannot be reached', async () => {
    const databaseUrl = new URL(test.url)
    databaseUrl.port = '1'

    await expect(createPostgresQueue({ databaseUrl: databaseUrl.href, log })).rejects.toThrow()
  })

  it('goes on after the server has cut every connection', async () => {
    const queue = await createPostgresQueue({ databaseUrl: test.url, log })
    let runs = 0
    queue.consume([{ job: plainJob, handle: async () => void runs++ }])
    await queue.enqueue(plainJob, { shareUid: randomUUID() })
    await eventually('a job ran', () => runs === 1)

    await askServer(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await eventually('the queue takes jobs again', () =>
      queue.enqueue(plainJob, { shareUid: randomUUID() }).then(
        () => true,
        () => false,
      ),
    )

    // More often where the cut lost the word that one was taken or done.
    await eventually('a job ran again', () => runs > 1)
    await queue.close()
  })

  it('holds no more connections than it may, however much there is to do', async () => {
    const queue = await createPostgresQueue({ databaseUrl: test.url, log, maxConnections: 3 })
    let runs = 0
    queue.consume([{ job: plainJob, handle: async () => void runs++ }], { concurrency: 20 })

    await Promise.all(
      Array.from({ length: 200 }, () => queue.enqueue(plainJob, { shareUid: randomUUID() })),
    )
    await eventually('all ran', () => runs === 200)

    const [row] = await askServer<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    expect(row?.count).toBeLessThanOrEqual(3)
    await queue.close()
  })
})
