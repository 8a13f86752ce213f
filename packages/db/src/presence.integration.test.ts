import { createTestDatabase, type TestDatabase } from '@floe/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { type Database, openDatabase } from './database.ts'
import {
  isInstanceAlive,
  listLiveInstances,
  notifyThrough,
  openPresence,
  type Presence,
} from './presence.ts'

describe('openPresence', () => {
  let testDatabase: TestDatabase
  let database: Database
  const opened: Presence[] = []

  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    database = openDatabase({ url: testDatabase.url })
  })

  afterEach(() => Promise.all(opened.splice(0).map((presence) => presence.close())))

  afterAll(async () => {
    await database.close()
    await testDatabase.drop()
  })

  async function open(): Promise<Presence> {
    const presence = await openPresence({ url: testDatabase.url })
    opened.push(presence)
    return presence
  }

  const cutConnections = () =>
    database.knex.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'floe-presence' and datname = current_database()`,
    )

  it('carries a notification to every listener of its channel and to no other', async () => {
    const [one, two] = [await open(), await open()]
    const received: string[] = []
    await one.listen('config.changed', (payload) => received.push(`one ${payload}`))
    await two.listen('config.changed', (payload) => received.push(`two ${payload}`))
    await two.listen('other', (payload) => received.push(`other ${payload}`))

    await one.notify('config.changed', 'smtp')

    await vi.waitFor(() => expect(received.toSorted()).toEqual(['one smtp', 'two smtp']))
  })

  it('asks the database one question at a time, however many come at once', async () => {
    const warnings: string[] = []
    const note = ({ message }: Error) => warnings.push(message)
    process.on('warning', note)
    const presence = await open()

    const stops = await Promise.all(
      ['one', 'two', 'three'].map((channel) => presence.listen(channel, () => undefined)),
    )
    await Promise.all(stops.map((stop) => stop()))
    // Warnings are told in the next turn of the loop.
    await new Promise((resolve) => setImmediate(resolve))

    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  it('hears a notification of a transaction on commit and nothing on rollback', async () => {
    const presence = await open()
    const received: string[] = []
    await presence.listen('lease', (payload) => received.push(payload))

    await database.knex
      .transaction(async (trx) => {
        await notifyThrough(trx, 'lease', 'rolled back')
        throw new Error('rollback')
      })
      .catch(() => undefined)
    await database.knex.transaction((trx) => notifyThrough(trx, 'lease', 'committed'))

    await vi.waitFor(() => expect(received).toEqual(['committed']))
  })

  it('stops hearing a channel once asked to', async () => {
    const presence = await open()
    const received: string[] = []
    const stopListening = await presence.listen('a', (payload) => received.push(`a ${payload}`))
    await presence.listen('b', (payload) => received.push(`b ${payload}`))
    await stopListening()

    await presence.notify('a', '1')
    await presence.notify('b', '2')

    await vi.waitFor(() => expect(received).toEqual(['b 2']))
  })

  it('counts an instance as alive until it closes', async () => {
    const presence = await open()
    expect(await isInstanceAlive(database.knex, presence.instanceKey)).toBe(true)
    expect(await listLiveInstances(database.knex)).toEqual([presence.instanceKey])

    await presence.close()

    await vi.waitFor(async () =>
      expect(await isInstanceAlive(database.knex, presence.instanceKey)).toBe(false),
    )
  })

  it('does not see instances of another database', async () => {
    const elsewhere = await createTestDatabase()
    const foreign = await openPresence({ url: elsewhere.url })

    expect(await isInstanceAlive(database.knex, foreign.instanceKey)).toBe(false)

    await foreign.close()
    await elsewhere.drop()
  })

  it('comes back with its key and its channels after the connection was cut', async () => {
    const presence = await open()
    const received: string[] = []
    let restored = 0
    await presence.listen('events', (payload) => received.push(payload))
    presence.onRestored(() => (restored += 1))

    await cutConnections()
    await vi.waitFor(() => expect(restored).toBe(1), { timeout: 5_000 })
    await presence.notify('events', 'after')

    await vi.waitFor(() => expect(received).toEqual(['after']))
    expect(await isInstanceAlive(database.knex, presence.instanceKey)).toBe(true)
  })

  it('closes while it tries to come back', async () => {
    const gone = await createTestDatabase()
    const presence = await openPresence({ url: gone.url })
    await gone.drop()

    await presence.close()
    await expect(presence.notify('a', 'b')).rejects.toThrow()
  })

  it('rejects at once when the database cannot be reached', async () => {
    await expect(openPresence({ url: 'postgres://floe@127.0.0.1:9/floe' })).rejects.toThrow()
  })
})
