import { migrateAll, openDatabase } from '@floe/db'
import {
  createTestDatabase,
  dumpSchema,
  listReleasedSchemas,
  readRows,
  type TestDatabase,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { knownMigrations } from './known-migrations.ts'

const isLedger = (table: string) => table.startsWith('migrations_')

/** Without the ledgers, which get their last column with the next migration. */
async function dumpTables(url: string): Promise<string[]> {
  const schema = await dumpSchema(url)
  return schema.filter((statement) => !statement.startsWith('create table migrations_'))
}

describe.each(listReleasedSchemas())('the database of $name', ({ load }) => {
  let released: TestDatabase
  let fresh: TestDatabase
  beforeAll(async () => {
    released = await createTestDatabase()
    fresh = await createTestDatabase(knownMigrations)
    await load(released.url)
  })
  afterAll(async () => {
    await released?.drop()
    await fresh?.drop()
  })

  test('is upgraded with every row in it as it was', async () => {
    const before = await readRows(released.url)
    expect(before.get('files')?.length).toBeGreaterThan(5)
    const database = openDatabase({ url: released.url, maxConnections: 1 })
    await migrateAll(database, knownMigrations)
    await database.close()
    const after = await readRows(released.url)
    for (const [table, rows] of before) {
      if (isLedger(table)) continue
      const columns = Object.keys(rows[0] ?? {})
      const kept = (after.get(table) ?? []).map((row) =>
        Object.fromEntries(columns.map((column) => [column, row[column]])),
      )
      expect(kept, table).toEqual(expect.arrayContaining(rows))
    }
    for (const table of ['users', 'shares', 'files', 'uploads', 'share_recipients']) {
      expect(after.get(table), table).toHaveLength(before.get(table)?.length ?? 0)
    }
  })

  // A released migration that is changed makes another schema in new installations than in old ones.
  test('has the schema of a new one then', async () => {
    const schema = await dumpTables(released.url)
    expect(schema.length).toBeGreaterThan(50)
    expect(schema).toEqual(await dumpTables(fresh.url))
  })
})
