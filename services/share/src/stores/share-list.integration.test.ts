import { randomUUID } from 'node:crypto'
import { type Database, openDatabase } from '@floe/db'
import { createTestDatabase, explain, type TestDatabase } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { createShareStore } from './share-store.ts'

const SHARES = 20_000
const creatorId = randomUUID()

let testDatabase: TestDatabase
let database: Database
let shares: ReturnType<typeof createShareStore>

beforeAll(async () => {
  testDatabase = await createTestDatabase([{ service: 'share', migrations }])
  database = openDatabase({ url: testDatabase.url })
  await database.knex.raw(
    `insert into shares (uid, id, name, created_at, expires_at, views, creator_id, state,
       last_activity_at)
     select gen_random_uuid(), 'share-' || number, 'Parcel ' || md5(number::text),
       timestamptz '2026-01-01' + number * interval '1 minute',
       case when number % 10 > 0 then timestamptz '2027-01-01' + number * interval '1 second' end,
       number % 100, case when number = 77 then ?::uuid end, 'completed', now()
     from generate_series(1, ?) as number`,
    [creatorId, SHARES],
  )
  await database.knex.raw('vacuum analyze shares')
  shares = createShareStore(database)
}, 60_000)
afterAll(async () => {
  await database?.close()
  await testDatabase?.drop()
})

async function idsOf(listing: Parameters<typeof shares.listAll>[0]) {
  const page = await shares.listAll(listing)
  return { ids: page.shares.map(({ id }) => id), total: page.total }
}

test('the newest come first, and pages follow one another without a gap', async () => {
  expect(await idsOf({ limit: 2 })).toEqual({ ids: ['share-20000', 'share-19999'], total: SHARES })
  expect((await idsOf({ limit: 2, offset: 2 })).ids).toEqual(['share-19998', 'share-19997'])
  expect((await idsOf({ limit: 5, offset: SHARES - 1 })).ids).toEqual(['share-1'])
})

test('shares that never end come after those that do', async () => {
  const soonest = await idsOf({ sort: 'expiration', order: 'asc', limit: 2 })
  expect(soonest.ids).toEqual(['share-1', 'share-2'])
  const { shares: latest } = await shares.listAll({ sort: 'expiration', order: 'desc', limit: 2 })
  expect(latest.map(({ expiresAt }) => expiresAt)).toEqual([null, null])
})

test('a share is found by part of its link or name, and by who made it', async () => {
  expect(await idsOf({ search: { text: 'RE-4711', creatorIds: [] } })).toEqual({
    ids: ['share-4711'],
    total: 1,
  })
  const { shares: named } = await shares.listAll({ search: { text: 'parcel', creatorIds: [] } })
  expect(named).toHaveLength(SHARES)
  const made = await idsOf({ search: { text: 'ann@example.org', creatorIds: [creatorId] } })
  expect(made).toEqual({ ids: ['share-77'], total: 1 })
})

test.each(['createdAt', 'id', 'views', 'expiration'] as const)(
  'a page sorted by %s reads an index instead of the table',
  async (sort) => {
    for (const order of ['asc', 'desc'] as const) {
      const [plan] = await explain(database, () => shares.listAll({ sort, order, limit: 50 }))
      expect(plan).toContain('Index Scan')
      expect(plan).not.toContain('Seq Scan')
    }
  },
)

test('a search reads indexes instead of the table', async () => {
  const search = { text: 'share-4711', creatorIds: [creatorId] }
  const plans = await explain(database, () => shares.listAll({ search, limit: 50 }))
  expect(plans).toHaveLength(2)
  for (const plan of plans) {
    expect(plan).toContain('shares_search')
    expect(plan).not.toContain('Seq Scan')
  }
})

test('the cleanup reads indexes instead of the table, however many shares are kept', async () => {
  const [plan] = await explain(database, () =>
    shares.removeExpired({
      now: new Date('2027-01-02T00:00:00.000Z'),
      keptSince: new Date('2026-12-01T00:00:00.000Z'),
      abandonedBefore: new Date('2025-01-01T00:00:00.000Z'),
      limit: 1000,
    }),
  )
  expect(plan).toContain('shares_by_expiry')
  expect(plan).not.toContain('Seq Scan on shares')
})
