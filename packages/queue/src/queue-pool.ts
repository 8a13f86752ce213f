import { setTimeout as sleep } from 'node:timers/promises'

import type { PgPool, PgPoolClient } from 'bullmq'
import pg from 'pg'

/** Fixed: BullMQ looks for its tables here when it is given a pool. */
export const queueSchema = 'bullmq'

const pauseMs = 500

export interface QueuePoolOptions {
  databaseUrl: string
  maxConnections: number
}

/**
 * One pool for the queue and its worker; BullMQ would open one for each. A failure to reach the
 * server is reported late, since BullMQ's worker tries again without a pause.
 */
export function openQueuePool({ databaseUrl, maxConnections }: QueuePoolOptions): PgPool {
  const pool = new pg.Pool({
    connectionString: withSearchPath(databaseUrl),
    application_name: 'floe-queue',
    max: maxConnections,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 10_000,
  })
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', () => undefined)

  // The declarations of both packages differ in how they overload `on`, nothing else.
  const connect = async () => (await pool.connect()) as pg.PoolClient & PgPoolClient

  const facade: PgPool & { options: pg.PoolOptions } = {
    options: pool.options,
    query: (text, params) => pool.query(text, params && [...params]).catch(failLate),
    connect: () => connect().catch(failLate),
    end: () => pool.end(),
    on: (event: 'error' | 'connect', listener: (subject: never) => void) => {
      pool.on(event as 'error', listener as (error: Error) => void)
      return facade
    },
    removeAllListeners: (event) => {
      pool.removeAllListeners(event)
      return facade
    },
  }
  return facade
}

async function failLate(error: unknown): Promise<never> {
  if (!isStatementError(error)) await sleep(pauseMs)
  throw error
}

/** Errors of statements carry a SQLSTATE; classes 08, 53 and 57 speak of the server itself. */
function isStatementError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^(?!08|53|57)[0-9A-Z]{5}$/.test(code)
}

/** Added to the address because `options` there replaces the one given beside it. */
function withSearchPath(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get('options')
  const searchPath = `-c search_path=${queueSchema}`
  url.searchParams.set('options', given ? `${given} ${searchPath}` : searchPath)
  return url.href
}
