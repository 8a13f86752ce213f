import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

export interface SteadyConnectionOptions {
  url: string
  applicationName: string
  /** Runs on each new connection before it counts as connected; a rejection discards it. */
  prepare(client: pg.Client): Promise<void>
  /** Runs before each attempt to come back; it may reject to have the next attempt made later. */
  beforeReconnect?(): Promise<void>
  /** As soon as the connection is known to be lost. */
  onLost?(): void
  /** After a loss was repaired. */
  onRestored?(): void
  onTrouble?(error: unknown): void
  /** Says which failures of an attempt make further attempts pointless. */
  isHopeless?(error: unknown): boolean
  /** How often a silent peer is probed; never when absent. */
  heartbeatMs?: number
}

export interface SteadyConnection {
  /** After those asked before; waits while the connection is being restored. */
  query(text: string, values?: unknown[]): Promise<unknown>
  /** From now on a lost connection stays lost. */
  release(): void
  close(): Promise<void>
}

const firstRetryMs = 50
const lastRetryMs = 2_000

/**
 * One connection outside any pool that comes back by itself: session-level locks and LISTEN
 * belong to a connection, so a pool that swaps it would lose them without a word.
 * Rejects when the first attempt fails.
 */
export async function openSteadyConnection(
  options: SteadyConnectionOptions,
): Promise<SteadyConnection> {
  const released = new AbortController()
  let current = Promise.resolve(await connect(options))
  let turn: Promise<unknown> = Promise.resolve()
  void current.then(watch)

  // A client that is asked while it works only queues, which pg will no longer do.
  function query(text: string, values?: unknown[]): Promise<unknown> {
    const asked = turn.then(async () => (await current).query(text, values))
    turn = asked.catch(() => undefined)
    return asked
  }

  function watch(client: pg.Client): void {
    const stopHeartbeat = keepAsking(query, options.heartbeatMs, lose)
    let lost = false
    function lose(error?: unknown): void {
      if (lost) return
      lost = true
      stopHeartbeat()
      client.end().catch(() => undefined)
      if (released.signal.aborted) return
      options.onLost?.()
      options.onTrouble?.(error ?? new Error('The database closed the connection'))
      current = restore()
      current.catch(() => undefined)
    }
    client.on('error', lose)
    client.on('end', () => lose())
  }

  async function restore(): Promise<pg.Client> {
    for (let delayMs = firstRetryMs; ; delayMs = Math.min(delayMs * 2, lastRetryMs)) {
      await sleep(delayMs, undefined, { signal: released.signal })
      try {
        await options.beforeReconnect?.()
        const client = await connect(options)
        if (released.signal.aborted) await client.end()
        released.signal.throwIfAborted()
        watch(client)
        options.onRestored?.()
        return client
      } catch (error) {
        if (released.signal.aborted) throw error
        options.onTrouble?.(error)
        if (options.isHopeless?.(error)) throw error
      }
    }
  }

  return {
    query,
    release: () => released.abort(),
    close: async () => {
      released.abort()
      const client = await current.catch(() => undefined)
      await client?.end().catch(() => undefined)
    },
  }
}

async function connect({
  url,
  applicationName,
  prepare,
}: SteadyConnectionOptions): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: 20_000,
  })
  // Without a listener an error between connecting and watching would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await prepare(client)
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/** A peer that vanished without closing is only noticed by asking it something. */
function keepAsking(
  query: SteadyConnection['query'],
  intervalMs: number | undefined,
  lose: (error: unknown) => void,
): () => void {
  if (intervalMs === undefined) return () => undefined
  const timer = setInterval(() => query('select 1').catch(lose), intervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
