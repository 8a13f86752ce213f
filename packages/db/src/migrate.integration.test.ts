import { createTestDatabase, type TestDatabase } from '@floe/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type Database, openDatabase } from './database.ts'
import { findUpgrade, migrate, migrateAll, type Migration } from './migrate.ts'
import { StartError } from './start-error.ts'

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

  it('refuses a database that a newer build has changed, and changes nothing', async () => {
    const service = 'boats'
    const crews = { service: 'crews', migrations: [] }
    await migrate(database, { service, migrations: [createBoats, fillBoats] })

    const older = [crews, { service, migrations: [createBoats] }]
    const refusal =
      'The database belongs to a newer version of Floe, whose migration 0002-fill-boats of the boats service is unknown to this one; start the newer version, or restore the backup made before the upgrade.'
    await expect(migrateAll(database, older)).rejects.toThrow(new StartError(refusal))
    await expect(findUpgrade(database, older)).rejects.toThrow(new StartError(refusal))
    expect(await database.knex.schema.hasTable('migrations_crews')).toBe(false)
  })

  it('starts beside a newer build whose migration says that older ones work', async () => {
    const service = 'boats'
    const compatible = { ...fillBoats, worksWithOlderBuilds: true }
    await migrate(database, { service, migrations: [createBoats, compatible] })

    const older = { service, migrations: [createBoats] }
    expect(await migrate(database, older)).toEqual([])
    expect(await findUpgrade(database, [older])).toEqual([])
  })

  it('takes a migration that the ledger only names for one that older builds do not work with', async () => {
    const older = { service: 'boats', migrations: [createBoats] }
    await migrate(database, older)
    await database.knex('migrations_boats').insert({ name: '0002-by-hand' })
    await expect(migrate(database, older)).rejects.toThrow('0002-by-hand of the boats service')

    // The ledger as builds of before left it.
    await database.knex.raw('alter table migrations_boats drop column works_with_older_builds')
    await expect(migrate(database, older)).rejects.toThrow('0002-by-hand of the boats service')
    await database.knex('migrations_boats').where({ name: '0002-by-hand' }).delete()
    expect(await migrate(database, older)).toEqual([])
    const newer = [createBoats, { ...fillBoats, worksWithOlderBuilds: true }]
    expect(await migrate(database, { ...older, migrations: newer })).toEqual(['0002-fill-boats'])
    expect(await migrate(database, older)).toEqual([])
  })

  it('applies what all services are missing, or nothing of any', async () => {
    const services = [
      { service: 'boats', migrations: [createBoats] },
      { service: 'crews', migrations: [fillBoats, fail] },
    ]
    await expect(migrateAll(database, services)).rejects.toThrow('iceberg')
    expect(await database.knex.schema.hasTable('boats')).toBe(false)
  })

  it('tells an upgrade from the first start', async () => {
    const boats = { service: 'boats', migrations: [createBoats] }
    const crews = { service: 'crews', migrations: [fillBoats] }
    expect(await findUpgrade(database, [boats, crews])).toEqual([])
    await migrate(database, boats)
    expect(await findUpgrade(database, [boats, crews])).toEqual([
      { service: 'crews', name: '0002-fill-boats' },
    ])
    expect(await database.knex.schema.hasTable('migrations_crews')).toBe(false)
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
