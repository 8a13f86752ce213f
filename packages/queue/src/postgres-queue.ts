import { advisoryLockClass } from '@floe/db'
import {
  createPostgresBackend,
  type PgPool,
  type PostgresConnectionOptions,
  runMigrations,
  withBackend,
} from 'bullmq'

import { type BullQueueOptions, createBullQueue } from './bull-queue.ts'
import { type JobEnvelope, queueName } from './job-options.ts'
import type { JobQueue } from './job-queue.ts'
import { openQueuePool, queueSchema } from './queue-pool.ts'

export interface PostgresQueueOptions extends BullQueueOptions {
  databaseUrl: string
  /** At least 3. One of them listens while this process consumes; the others close when idle. */
  maxConnections?: number
}

/**
 * Jobs in the schema `bullmq` of a PostgreSQL database, which is created or brought up to date
 * first. Processes may start together: BullMQ migrates under an advisory lock of its own, in one
 * transaction. Rejects when the database cannot be reached.
 */
export async function createPostgresQueue({
  databaseUrl,
  maxConnections = 5,
  ...options
}: PostgresQueueOptions): Promise<JobQueue> {
  const pool = openQueuePool({ databaseUrl, maxConnections })
  try {
    const client = await pool.connect()
    try {
      await runMigrations(client, queueSchema)
    } finally {
      client.release()
    }
  } catch (error) {
    await pool.end()
    throw error
  }

  const { Queue, Worker } = withBackend(createPostgresBackend)
  const connection: PostgresConnectionOptions = pool
  return createBullQueue(
    {
      openQueue: () =>
        new Queue<JobEnvelope, void, string>(queueName, {
          connection,
          // Nothing here reads the event stream.
          streams: { events: { maxLen: 100 } },
        }),
      openWorker: (process, workerOptions) =>
        new Worker<JobEnvelope, void, string>(queueName, process, { ...workerOptions, connection }),
      countByName: async () => {
        const { rows } = await pool.query(
          `select name, state::text as state, count(*)::int as count from job
           where queue = $1 and state <> 'waiting-children' group by name, state`,
          [queueName],
        )
        return rows
      },
      oneAtATime: (work) => whileLocked(pool, work),
      memory: null,
      close: () => pool.end(),
    },
    options,
  )
}

/** The lock ends with its transaction, and so with the process that holds it. */
async function whileLocked(pool: PgPool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1, 0)', [advisoryLockClass.jobSchedules])
    await work()
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}
