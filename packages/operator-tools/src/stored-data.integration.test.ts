import { dataKinds } from '@floe/contracts'
import { createOwnDataList, openDatabase, platformData, type StoredData } from '@floe/db'
import { s3Migrations } from '@floe/storage/s3'
import { createTestDatabase, queryDatabase, type TestDatabase } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { knownMigrations } from './known-migrations.ts'
import { knownTables } from './known-tables.ts'

const all: StoredData = Object.assign({}, platformData, ...Object.values(knownTables))

let testDatabase: TestDatabase
const columns = new Map<string, string[]>()
beforeAll(async () => {
  testDatabase = await createTestDatabase([
    ...knownMigrations,
    { service: 's3', migrations: s3Migrations },
  ])
  const rows = await queryDatabase(
    testDatabase.url,
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = current_schema() and table_name not like 'migrations\\_%'`,
  )
  for (const { table, column } of rows) {
    columns.set(String(table), [...(columns.get(String(table)) ?? []), String(column)])
  }
})
afterAll(() => testDatabase?.drop())

test('every table of the database is one that people are told of', () => {
  expect(Object.keys(all).sort()).toEqual([...columns.keys()].sort())
  expect(new Set(Object.values(all).map(({ kind }) => kind))).toEqual(new Set(dataKinds))
})

test('every column of an account is either told to it or named as one that is not', () => {
  const ofAccounts = Object.entries(all).filter(([, { of }]) => of !== undefined)
  expect(ofAccounts.length).toBeGreaterThan(25)
  for (const [table, { told = [], untold = [] }] of ofAccounts) {
    expect([...told, ...untold].sort(), table).toEqual(columns.get(table)?.sort())
  }
})

test('columns that name an account or an address are of accounts', () => {
  for (const [table, names] of columns) {
    if (all[table]?.of !== undefined) continue
    expect(
      names.filter((name) => /user_|email|owner|creator|actor|address|charged/.test(name)),
      table,
    ).toEqual([])
  }
})

test.each(Object.entries(knownTables))(
  'the tables of %s are read to the end',
  async (_, stored) => {
    const database = openDatabase({ url: testDatabase.url, maxConnections: 1 })
    try {
      const list = createOwnDataList(database, stored)
      const read: string[] = []
      let after: Awaited<ReturnType<typeof list>>['after'] = null
      do {
        const page = await list({ userId: '5e0c77f4-7d5f-4a3f-9a0e-0d2f8f0e9a11', after })
        read.push(page.table)
        ;({ after } = page)
      } while (after !== null)
      const ofAccounts = Object.entries(stored).filter(([, { of }]) => of)
      expect(read).toEqual(ofAccounts.map(([table]) => table))
    } finally {
      await database.close()
    }
  },
)
