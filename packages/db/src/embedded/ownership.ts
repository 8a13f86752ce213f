import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import { advisoryLockClass } from '../advisory-locks.ts'
import { openSteadyConnection, type SteadyConnection } from '../steady-connection.ts'
import { superuser } from './cluster.ts'

/** The server runs and another living Floe owns it. */
export class OwnedByAnother extends Error {
  override readonly name = 'OwnedByAnother'

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}

export interface ClaimOptions {
  /** Leads to the `postgres` database, since advisory locks belong to one. */
  url: string
  beforeReconnect(): Promise<void>
  onTrouble(error: unknown): void
  onTakenOver(): void
}

/**
 * A killed owner's session ends within milliseconds of its process. That long a lock may still be
 * its last breath, and not a sign of life.
 */
const lastBreathMs = 1_500

/**
 * Takes the lock that makes this process the owner of the server, for as long as the connection
 * lives, and again when it had to be made anew. Rejects with `OwnedByAnother` when it is taken.
 */
export async function claimOwnership(options: ClaimOptions): Promise<SteadyConnection> {
  return openSteadyConnection({
    url: options.url,
    applicationName: 'floe-owner',
    beforeReconnect: () => options.beforeReconnect(),
    onTrouble: (error) => options.onTrouble(error),
    isHopeless: (error) => {
      if (!(error instanceof OwnedByAnother)) return false
      options.onTakenOver()
      return true
    },
    prepare: async (client) => {
      await takeLock(client)
      await createDatabase(client)
    },
  })
}

async function takeLock(client: pg.Client): Promise<void> {
  const deadline = Date.now() + lastBreathMs
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1, 0) as taken',
      [advisoryLockClass.embeddedOwner],
    )
    if (rows[0]?.taken) return
    if (Date.now() > deadline) throw new OwnedByAnother('Another Floe owns this server')
    await sleep(50)
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [superuser])
  if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(superuser)}`)
}

const notReadyCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up or shutting down
  '53300', // too_many_connections: sessions of a killed Floe are still ending
])

/** Whether the same attempt may succeed a moment later. */
export function isNotReady(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  if (code !== undefined) return notReadyCodes.has(code)
  return /terminated|timeout/i.test(message ?? '')
}
