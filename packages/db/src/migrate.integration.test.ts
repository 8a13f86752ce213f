import { createTestDatabase, type TestDatabase } from '@floe/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type Database, openDatabase } from './database.ts'
import { migrate, type Migration } from './migrate.ts'

const createBoats: Migration = {
  name: '0001-create-boats',
  up: (knex) => knex.schema.createTable('boats', (table) => table.text('name')),
}
const fillBoats: Migration = {
  name: '0002-fill-boats',
  up: async (knex) => {
    await knex('boats').insert({ name: 'Fram' })
  },
}
const fail: Migration = {
  name: '0003-fail',
  up: async (knex) => {
    await knex('boats').insert({ name: 'Titanic' })
    throw new Error('iceberg')
  },
}

describe('migrate', () => {
  let testDatabase: TestDatabase
  let database: Database

  beforeEach(async () => {
    testDatabase = await createTestDatabase()
    database = openDatabase({ url: testDatabase.url })
  })

  afterEach(async () => {
    await database.close()
    await testDatabase.drop()
  })

  const boats = async () => (await database.knex('boats').select('name')).map(({ name }) => name)

  it('applies each migration once however often it runs', async () => {
    const service = 'boats'
    expect(await migrate(database, { service, migrations: [createBoats] })).toEqual([
      '0001-create-boats',
    ])
    expect(await migrate(database, { service, migrations: [createBoats, fillBoats] })).toEqual([
      '0002-fill-boats',
    ])
    expect(await migrate(database, { service, migrations: [createBoats, fillBoats] })).toEqual([])
    expect(await boats()).toEqual(['Fram'])
  })

  it('lets five processes migrate an empty database at once', async () => {
    const processes = Array.from({ length: 5 }, () => openDatabase({ url: testDatabase.url }))
    const applied = await Promise.all(
      processes.map((process) =>
        migrate(process, { service: 'boats', migrations: [createBoats, fillBoats] }),
      ),
    )
    await Promise.all(processes.map((process) => process.close()))

    expect(applied.flat()).toEqual(['0001-create-boats', '0002-fill-boats'])
    expect(await boats()).toEqual(['Fram'])
  })

  it('lets the services of an empty database migrate at once', async () => {
    const extend: Migration = {
      name: '0001-extend',
      up: (knex) => knex.raw('create extension if not exists citext'),
    }
    await Promise.all(
      ['auth', 'share', 'file', 'admin'].map((service) =>
        migrate(database, { service, migrations: [extend] }),
      ),
    )

    const { rows } = await database.knex.raw(`select 1 from pg_extension where extname = 'citext'`)
    expect(rows).toHaveLength(1)
  })

  it('leaves no trace of a run that failed half way', async () => {
    await migrate(database, { service: 'boats', migrations: [createBoats] })
    await expect(
      migrate(database, { service: 'boats', migrations: [createBoats, fillBoats, fail] }),
    ).rejects.toThrow('iceberg')

    expect(await boats()).toEqual([])
    expect(
      await migrate(database, { service: 'boats', migrations: [createBoats, fillBoats] }),
    ).toEqual(['0002-fill-boats'])
  })

  it('tolerates migrations of a newer release', async () => {
    await migrate(database, { service: 'boats', migrations: [createBoats, fillBoats] })

    expect(await migrate(database, { service: 'boats', migrations: [createBoats] })).toEqual([])
  })

  it('refuses migrations that are out of order or slipped in before an applied one', async () => {
    await expect(
      migrate(database, { service: 'boats', migrations: [fillBoats, createBoats] }),
    ).rejects.toThrow('out of order')

    await migrate(database, { service: 'boats', migrations: [createBoats] })
    const late = { ...fillBoats, name: '0000-late' }
    await expect(
      migrate(database, { service: 'boats', migrations: [late, createBoats] }),
    ).rejects.toThrow('0000-late')
  })
})
