import { type Database, openDatabase } from '@floe/db'
import { createTestDatabase, type TestDatabase } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from './migrations.ts'
import { createSecretStore } from './secret-store.ts'

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase([{ service: 'share', migrations }])
  database = openDatabase({ url: testDatabase.url })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

describe('findOrInsert', () => {
  it('gives every process that starts at once the same value, and keeps it', async () => {
    const store = createSecretStore({ knex: database.knex })
    const values = await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.findOrInsert('key', `candidate ${n}`)),
    )
    expect(new Set(values).size).toBe(1)
    expect(await store.findOrInsert('key', 'late')).toBe(values[0])
    expect(await store.findOrInsert('other', 'second')).toBe('second')
  })
})
