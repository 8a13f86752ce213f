import { createTestDatabase, type TestDatabase } from '@floe/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Database, openDatabase } from './database.ts'

describe('openDatabase', () => {
  let testDatabase: TestDatabase
  let database: Database

  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    database = openDatabase({ url: testDatabase.url, maxConnections: 2, applicationName: 'named' })
    await database.knex.schema.createTable('samples', (table) => {
      table.bigInteger('size_bytes')
      table.timestamp('made_at', { useTz: true })
    })
  })

  afterAll(async () => {
    await database.close()
    await testDatabase.drop()
  })

  it('gives bigint as a number and timestamptz as a date', async () => {
    const madeAt = new Date('2026-02-03T04:05:06.789Z')
    await database.knex('samples').insert({ size_bytes: 5_000_000_000, made_at: madeAt })

    expect(await database.knex('samples').first()).toEqual({
      size_bytes: 5_000_000_000,
      made_at: madeAt,
    })
  })

  it('leaves the parsers of other users of pg alone', async () => {
    const client = new pg.Client(testDatabase.url)
    await client.connect()
    const { rows } = await client.query<{ n: unknown }>('select 7::bigint as n')
    await client.end()

    expect(rows).toEqual([{ n: '7' }])
  })

  it('runs a named statement many times with different values', async () => {
    const statement = { name: 'add-one', text: 'select $1::bigint + 1 as sum' }
    const sums = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => database.query<{ sum: number }>({ ...statement, values: [n] })),
    )

    expect(sums.flat().map(({ sum }) => sum)).toEqual([2, 3, 4, 5, 6])
  })

  it('gives the connection back when a named statement fails', async () => {
    const failing = { name: 'divide', text: 'select 1 / $1::int as n', values: [0] }
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(database.query(failing)).rejects.toThrow('division by zero')
    }

    expect(await database.query({ name: 'one', text: 'select 1 as n', values: [] })).toEqual([
      { n: 1 },
    ])
  })

  it('shows its name to the server', async () => {
    const [row] = await database.query({
      name: 'own-name',
      text: `select current_setting('application_name') as name`,
      values: [],
    })

    expect(row).toEqual({ name: 'named' })
  })
})
