import { randomUUID } from 'node:crypto'
import { type Database, migrate, openDatabase } from '@floe/db'
import { createTestDatabase, type TestDatabase } from '@floe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrations } from './migrations.ts'

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ url: testDatabase.url })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

it('takes every share that was ever completed for published once', async () => {
  const service = 'share'
  await migrate(database, { service, migrations: migrations.slice(0, 1) })
  const states = ['open', 'completed', 'reopened']
  const rows = states.map((state) => ({
    uid: randomUUID(),
    id: state,
    created_at: new Date(),
    state,
    last_activity_at: new Date(),
  }))
  await database.knex('shares').insert(rows)
  await migrate(database, { service, migrations })
  const shares = await database.knex('shares').select('id', 'edition').orderBy('id')
  expect(shares).toEqual([
    { id: 'completed', edition: 1 },
    { id: 'open', edition: 0 },
    { id: 'reopened', edition: 1 },
  ])
})
