import { randomUUID } from 'node:crypto'
import { createPostgresLimits } from '@floe/limits'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { attemptLimits } from '../domain/attempts.ts'
import type { HttpResponse } from '../testing/browser.ts'
import { openShareWorld, publishShare, type ShareWorld } from '../testing/share-world.ts'

let world: ShareWorld

beforeAll(async () => {
  world = await openShareWorld()
})
afterAll(() => world.close())
afterEach(() => expect(world.failures).toEqual([]))

const publishLocked = (rest: Record<string, unknown> = {}) =>
  publishShare(world, world.signIn().browser, { security: { password: 'right one', ...rest } })

let lastAddress = 0
/** An address nobody else comes from. */
function newAddress(): string {
  lastAddress += 1
  return `203.0.113.${lastAddress}`
}

function enter(id: string, password: string, address: string): Promise<HttpResponse> {
  return world.visit().send('POST', `/api/shares/${id}/token`, {
    body: { password },
    headers: { 'x-forwarded-for': address },
  })
}

function askForId(id: string, address: string): Promise<HttpResponse> {
  return world.visit().send('GET', `/api/shares/isShareIdAvailable/${id}`, {
    headers: { 'x-forwarded-for': address },
  })
}

const times = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

const tooMany = { statusCode: 429, message: 'ThrottlerException: Too Many Requests' }

test('after 20 wrong passwords even the right one is refused there, and only there', async () => {
  const id = await publishLocked()
  const address = newAddress()
  for (let left = 19; left >= 0; left -= 1) {
    const { status, headers } = await enter(id, 'wrong', address)
    expect({ status, left: headers['x-ratelimit-remaining'] }).toEqual({
      status: 403,
      left: String(left),
    })
  }

  const refused = await enter(id, 'right one', address)
  expect(refused).toMatchObject({ status: 429, body: tooMany })
  expect(Object.keys(refused.body as object)).toEqual(['statusCode', 'message'])
  expect(refused.headers).toMatchObject({
    'x-error-code': 'too_many_requests',
    'x-ratelimit-limit': '20',
    'x-ratelimit-remaining': '0',
  })
  const retryAfter = Number(refused.headers['retry-after'])
  expect(retryAfter).toBeGreaterThan(290)
  expect(retryAfter).toBeLessThanOrEqual(300)
  expect(refused.headers['x-ratelimit-reset']).toBe(String(retryAfter))

  expect((await enter(id, 'right one', newAddress())).status).toBe(200)
  const otherId = await publishLocked()
  expect((await enter(otherId, 'right one', address)).status).toBe(200)
})

test('a burst of guesses learns no more than guesses one by one', async () => {
  const id = await publishLocked()
  const address = newAddress()
  const responses = await times(80, () => enter(id, 'wrong', address))
  const judged = responses.filter(({ status }) => status === 403)
  // Two are looked at side by side.
  expect(judged.length).toBeGreaterThanOrEqual(20)
  expect(judged.length).toBeLessThanOrEqual(21)
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(80 - judged.length)
})

test('right passwords and missing ones cost nothing', async () => {
  const id = await publishLocked({ maxViews: 50 })
  const address = newAddress()
  await times(50, () => enter(id, '', address))
  const responses = await times(50, () => enter(id, 'right one', address))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(50)
  expect(responses[0]?.headers).toMatchObject({
    'x-ratelimit-limit': '20',
    'x-ratelimit-remaining': '20',
    'x-ratelimit-reset': '0',
  })
  const beyond = await enter(id, 'right one', address)
  expect(beyond.body).toMatchObject({ code: 'share_max_views_exceeded' })
})

test('a share without password limits nobody', async () => {
  const id = await publishShare(world, world.signIn().browser)
  const address = newAddress()
  const responses = await times(50, () => enter(id, 'anything', address))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(50)
})

test('addresses of one IPv6 network count as one', async () => {
  const id = await publishLocked()
  for (let host = 1; host <= 20; host += 1) {
    await enter(id, 'wrong', `2001:db8:0:1100::${host}`)
  }
  expect((await enter(id, 'right one', '2001:db8:0:11ff::1')).status).toBe(429)
  expect((await enter(id, 'right one', '2001:db8:0:1200::1')).status).toBe(200)
})

test('however many guess at a share, its visitors wait and are let in', async () => {
  const id = await publishLocked()
  const limits = createPostgresLimits({ database: world.database })
  await limits.spend(attemptLimits.everywhere, await world.uidOf(id), 149)
  const startedAt = performance.now()
  expect((await enter(id, 'right one', newAddress())).status).toBe(200)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(490)
})

test('wrong passwords from many addresses add up', async () => {
  const id = await publishLocked()
  await times(15, () => enter(id, 'wrong', newAddress()))
  const limits = createPostgresLimits({ database: world.database })
  const state = await limits.peek(attemptLimits.everywhere, await world.uidOf(id))
  expect(state.spent).toBe(15)
})

test('asks whether a link is free are counted, each of them', async () => {
  const address = newAddress()
  const responses = await times(60, () => askForId(randomUUID(), address))
  expect(responses.every(({ status }) => status === 200)).toBe(true)
  const left = responses.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
  expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index))

  const refused = await askForId(randomUUID(), address)
  expect(refused).toMatchObject({ status: 429, body: tooMany })
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect((await askForId(randomUUID(), newAddress())).status).toBe(200)
})
