import { randomUUID } from 'node:crypto'
import { type Database, migrate, openDatabase } from '@floe/db'
import { createTestDatabase, type TestDatabase } from '@floe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrations } from './migrations.ts'
import { createFileRows } from './files/stores/file-rows.ts'

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

it('gives every file that was there before editions to the first one', async () => {
  const service = 'file'
  await migrate(database, { service, migrations: migrations.slice(0, 1) })
  const shareUid = randomUUID()
  await database.knex('files').insert({
    share_uid: shareUid,
    id: randomUUID(),
    name: 'old.txt',
    size_bytes: 1,
    crc32: 1,
    object_key: 'key',
    created_at: new Date(),
  })
  await migrate(database, { service, migrations })
  const files = createFileRows(database)
  expect(await files.list({ shareUid, edition: 0 })).toEqual([])
  for (const edition of [1, 2]) {
    expect(await files.list({ shareUid, edition })).toMatchObject([{ name: 'old.txt' }])
  }
})
