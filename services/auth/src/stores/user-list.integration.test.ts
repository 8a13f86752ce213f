import { type Database, openDatabase } from '@floe/db'
import { createTestDatabase, explain, type TestDatabase } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { createUserStore } from './user-store.ts'

const USERS = 10_000

let testDatabase: TestDatabase
let database: Database
let users: ReturnType<typeof createUserStore>

beforeAll(async () => {
  testDatabase = await createTestDatabase([{ service: 'auth', migrations }])
  database = openDatabase({ url: testDatabase.url })
  await database.knex.raw(
    `insert into users (id, username, email, is_admin, created_at)
     select gen_random_uuid(), 'user_' || number, md5(number::text) || '@example.org', false,
       timestamptz '2026-01-01' + number * interval '1 minute'
     from generate_series(1, ?) as number`,
    [USERS],
  )
  const odd = {
    'Per.Cent': '100%off@example.org',
    back_slash: String.raw`a\b@example.org`,
  }
  for (const [username, email] of Object.entries(odd)) {
    await database.knex.raw(
      `insert into users (id, username, email, is_admin, created_at)
       values (gen_random_uuid(), ?, ?, false, now())`,
      [username, email],
    )
  }
  await database.knex.raw('vacuum analyze users')
  users = createUserStore(database)
}, 60_000)
afterAll(async () => {
  await database?.close()
  await testDatabase?.drop()
})

const namesOf = async (query: Parameters<typeof users.listUsers>[0]) => {
  const page = await users.listUsers(query)
  return { names: page.users.map(({ username }) => username), total: page.total }
}

test('pages follow one another without a gap or a repetition', async () => {
  const seen = new Set<string>()
  for (let offset = 0; offset < 600; offset += 200) {
    const page = await users.listUsers({ sort: 'email', limit: 200, offset })
    expect(page.users).toHaveLength(200)
    for (const { id } of page.users) seen.add(id)
    expect(page.total).toBe(USERS + 2)
  }
  expect(seen.size).toBe(600)
  const first = await namesOf({ limit: 3 })
  expect(first.names).toEqual(['user_1', 'user_2', 'user_3'])
  const last = await namesOf({ limit: 3, offset: USERS + 1 })
  expect(last).toEqual({ names: ['back_slash'], total: USERS + 2 })
})

test('a name or address is found by any part of it, whatever its case', async () => {
  expect(await namesOf({ search: 'USER_4711' })).toEqual({ names: ['user_4711'], total: 1 })
  expect(await namesOf({ search: 'cent' })).toEqual({ names: ['Per.Cent'], total: 1 })
  expect(await namesOf({ search: 'nobody at all' })).toEqual({ names: [], total: 0 })
})

test('what a pattern is made of is searched for like any text', async () => {
  expect((await namesOf({ search: '100%' })).names).toEqual(['Per.Cent'])
  expect((await namesOf({ search: String.raw`a\b` })).names).toEqual(['back_slash'])
  expect((await namesOf({ search: 'k_s' })).names).toEqual(['back_slash'])
  expect((await namesOf({ search: 'k%s' })).names).toEqual([])
  expect((await namesOf({ search: '\u0000' })).names).toEqual([])
})

test.each(['createdAt', 'username', 'email'] as const)(
  'a page sorted by %s reads an index instead of the table',
  async (sort) => {
    for (const order of ['asc', 'desc'] as const) {
      const plans = await explain(database, () => users.listUsers({ sort, order, limit: 50 }))
      expect(plans[0]).not.toContain('Seq Scan on users')
    }
  },
)

test('a search reads an index instead of the table', async () => {
  const plans = await explain(database, () => users.listUsers({ search: 'user_4711', limit: 50 }))
  expect(plans).toHaveLength(2)
  for (const plan of plans) expect(plan).toContain('users_search')
})
