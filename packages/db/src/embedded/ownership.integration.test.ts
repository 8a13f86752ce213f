import { createTestDatabase, type TestDatabase } from '@floe/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type Database, openDatabase } from '../database.ts'
import type { SteadyConnection } from '../steady-connection.ts'
import { claimOwnership, OwnedByAnother } from './ownership.ts'

describe('claimOwnership', () => {
  let testDatabase: TestDatabase
  let database: Database
  const claims: SteadyConnection[] = []

  beforeEach(async () => {
    testDatabase = await createTestDatabase()
    database = openDatabase({ url: testDatabase.url })
  })

  afterEach(async () => {
    await Promise.all(claims.splice(0).map((claimed) => claimed.close()))
    await database.close()
    await testDatabase.drop()
  })

  async function claim(onTakenOver = () => undefined): Promise<SteadyConnection> {
    const claimed = await claimOwnership({
      url: testDatabase.url,
      beforeReconnect: () => Promise.resolve(),
      onTrouble: () => undefined,
      onTakenOver,
    })
    claims.push(claimed)
    return claimed
  }

  const holders = async () =>
    database.query<{ pid: number }>({
      name: 'holders',
      text: `select pid from pg_locks join pg_database on pg_database.oid = database
             where locktype = 'advisory' and granted and datname = current_database()`,
      values: [],
    })

  it('goes to one process at a time', async () => {
    const first = await claim()
    await expect(claim()).rejects.toBeInstanceOf(OwnedByAnother)

    await first.close()
    await claim()
  })

  it('is taken again when its connection was cut', async () => {
    await claim()
    const [before] = await holders()
    await database.knex.raw('select pg_terminate_backend(?)', [before?.pid ?? 0])

    await vi.waitFor(
      async () => {
        const [after] = await holders()
        expect(after).toBeDefined()
        expect(after).not.toEqual(before)
      },
      { timeout: 10_000, interval: 50 },
    )
  })

  it('says so when another process was faster after a cut', async () => {
    let takenOver = 0
    await claim(() => {
      takenOver += 1
    })
    const [before] = await holders()
    await database.knex.transaction(async (trx) => {
      // Queued behind the owner, and so granted the moment the owner is cut.
      const waiting = trx.raw(
        `select pg_advisory_lock(classid::bigint::int, objid::bigint::int)
         from pg_locks where locktype = 'advisory' and pid = ?`,
        [before?.pid ?? 0],
      )
      waiting.catch(() => undefined)
      await database.knex.raw('select pg_terminate_backend(?)', [before?.pid ?? 0])
      await waiting
      await vi.waitFor(() => expect(takenOver).toBe(1), { timeout: 10_000, interval: 50 })
      await trx.raw('select pg_advisory_unlock_all()')
    })
  })
})
