import { MOST_EMPTY_SHARES } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Browser } from '../testing/browser.ts'
import {
  newShareId,
  openShareWorld,
  publishShare,
  shareInput,
  type ShareWorld,
} from '../testing/share-world.ts'

let world: ShareWorld

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.settings['share.allowUnauthenticatedShares'] = true
})
afterEach(() => expect(world.failures).toEqual([]))

async function create(browser: Browser, id = newShareId()) {
  return browser.send('POST', '/api/shares', { body: shareInput(id) })
}

/** Makes so many, open and empty; returns the links. */
async function createMany(browser: Browser, count: number): Promise<string[]> {
  const first = newShareId()
  expect(await create(browser, first)).toMatchObject({ status: 201 })
  const { rows } = await world.database.knex.raw<{ rows: { id: string }[] }>(
    `insert into shares
     select (jsonb_populate_record(shares, jsonb_build_object(
       'uid', gen_random_uuid(), 'id', shares.id || n, 'owner_token_hash', null
     ))).* from shares, generate_series(2, ?) as n where id = ? returning id`,
    [count, first],
  )
  return [first, ...rows.map(({ id }) => id)]
}

/** So that requests at once are so at the database as well. */
async function openConnections(count: number): Promise<void> {
  const { knex } = world.database
  const held = await Promise.all(Array.from({ length: count }, () => knex.transaction()))
  await Promise.all(held.map((trx) => trx.rollback()))
}

test('a user who has too many unfinished shares without files makes no more', async () => {
  const { browser } = world.signIn()
  await createMany(browser, MOST_EMPTY_SHARES - 1)
  expect(await create(browser)).toMatchObject({ status: 201 })
  const id = newShareId()
  const refused = await create(browser, id)
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_empty_shares' } })
  expect(await world.database.knex('shares').where({ id })).toEqual([])
  expect(await create(world.signIn().browser)).toMatchObject({ status: 201 })
})

test('creations at once do not pass the limit', async () => {
  const { browser } = world.signIn()
  await createMany(browser, MOST_EMPTY_SHARES - 2)
  await openConnections(8)
  const responses = await Promise.all(Array.from({ length: 40 }, () => create(browser)))
  const made = responses.filter(({ status }) => status === 201)
  expect(made).toHaveLength(2)
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(38)
})

test('shares that have files, or are completed, do not count', async () => {
  const { browser } = world.signIn()
  const [filled = '', given = ''] = await createMany(browser, MOST_EMPTY_SHARES - 1)
  await publishShare(world, browser)
  expect(await create(browser)).toMatchObject({ status: 201 })
  expect(await create(browser)).toMatchObject({ status: 409 })
  await world.addFile(filled)
  expect(await create(browser)).toMatchObject({ status: 201 })
  expect(await create(browser)).toMatchObject({ status: 409 })
  expect(await browser.send('DELETE', `/api/shares/${given}`)).toMatchObject({ status: 200 })
  expect(await create(browser)).toMatchObject({ status: 201 })
})

test('what is made without an account is not counted for anybody', async () => {
  await createMany(world.visit(), MOST_EMPTY_SHARES)
  expect(await create(world.visit())).toMatchObject({ status: 201 })
})
