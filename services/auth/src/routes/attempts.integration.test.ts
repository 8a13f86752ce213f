import { randomBytes } from 'node:crypto'
import { createPostgresLimits } from '@floe/limits'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { attemptLimits } from '../domain/attempts.ts'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import {
  type HttpResponse,
  type Browser,
  isSignedIn,
  makeRegistration,
  openBrowser,
  register,
} from '../testing/browser.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.knex('rate_limits').delete()
})

interface Attempt {
  email: string
  password?: string
  from?: string
  browser?: Browser
}

const signIn = ({
  email,
  password = 'wrong',
  from = '192.0.2.1',
  browser = openBrowser(server),
}: Attempt) =>
  browser.send('POST', '/api/auth/signIn', { email, password }, { 'x-forwarded-for': from })

const statusesOf = (responses: readonly HttpResponse[]) => responses.map(({ status }) => status)
const times = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))
const asKnown = (user: { browser: Browser }) => {
  const browser = openBrowser(server)
  browser.cookies.set('device', user.browser.cookies.get('device') ?? '')
  return browser
}

test('ten wrong passwords from one address are looked at, and the eleventh refused', async () => {
  const { email, password } = await register(server)
  for (let index = 0; index < 10; index += 1) {
    expect((await signIn({ email })).status).toBe(401)
  }
  const refused = await signIn({ email, password })
  expect(refused.status).toBe(429)
  expect(refused.body).toEqual({
    statusCode: 429,
    message: 'ThrottlerException: Too Many Requests',
  })
  expect(refused.headers.get('x-error-code')).toBe('too_many_requests')
  expect(refused.headers.get('x-ratelimit-limit')).toBe('10')
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(800)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
  expect((await signIn({ email: email.toUpperCase(), password })).status).toBe(429)
  expect((await signIn({ email, password, from: '192.0.2.2' })).status).toBe(200)
})

test('an unknown account is limited just the same', async () => {
  const { email } = makeRegistration()
  for (let index = 0; index < 10; index += 1) {
    expect((await signIn({ email })).status).toBe(401)
  }
  expect((await signIn({ email })).status).toBe(429)
})

test('right passwords never count, however many at once', async () => {
  const { email, password } = await register(server)
  const responses = await times(60, () => signIn({ email, password }))
  expect(new Set(statusesOf(responses))).toEqual(new Set([200]))
})

test('of a hundred wrong passwords sent at once hardly more than ten are looked at', async () => {
  const { email } = await register(server)
  const statuses = statusesOf(await times(100, () => signIn({ email })))
  const looked = statuses.filter((status) => status === 401).length
  expect(looked).toBeGreaterThanOrEqual(10)
  expect(looked).toBeLessThanOrEqual(11)
  expect(statuses.filter((status) => status === 429)).toHaveLength(100 - looked)
})

test('one address may not go through many accounts', async () => {
  const from = '192.0.2.7'
  const statuses = statusesOf(
    await times(60, () => signIn({ email: makeRegistration().email, from })),
  )
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(8)
  const { email, password } = await register(server)
  expect((await signIn({ email, password, from })).status).toBe(429)
})

test('addresses of one IPv6 network are one address', async () => {
  const { email, password } = await register(server)
  for (let index = 0; index < 10; index += 1) {
    await signIn({ email, from: `2001:db8:1:1::${index + 1}` })
  }
  expect((await signIn({ email, password, from: '2001:db8:1:1::ffff' })).status).toBe(429)
  expect((await signIn({ email, password, from: '2001:db8:2::1' })).status).toBe(200)
})

test('an attack from 20 addresses does not keep the owner out at another one', async () => {
  const user = await register(server)
  const { email, password } = user
  const statuses = statusesOf(
    await times(400, (index) => signIn({ email, from: `198.51.100.${index % 20}` })),
  )
  const looked = statuses.filter((status) => status === 401).length
  expect(looked).toBeGreaterThanOrEqual(200)
  expect(looked).toBeLessThanOrEqual(220)
  expect(statuses.filter((status) => status === 429)).toHaveLength(400 - looked)

  const owner = openBrowser(server)
  expect((await signIn({ email, password, from: '203.0.113.9', browser: owner })).status).toBe(200)
  await expect(isSignedIn(owner)).resolves.toBe(true)
})

test('a browser the account knows gets in from the very address of the attack', async () => {
  const user = await register(server)
  const { email, password } = user
  await times(60, () => signIn({ email }))
  expect((await signIn({ email, password })).status).toBe(429)
  expect((await signIn({ email, password, browser: asKnown(user) })).status).toBe(200)
})

test('a known browser may guess no more than others, and uses up nobody elses guesses', async () => {
  const user = await register(server)
  const { email, password } = user
  const browser = asKnown(user)
  for (let index = 0; index < 10; index += 1) {
    expect((await signIn({ email, browser })).status).toBe(401)
  }
  expect((await signIn({ email, password, browser })).status).toBe(429)
  expect((await signIn({ email, password })).status).toBe(200)
})

test('a device cookie of another account, and one made up, count for nothing', async () => {
  const { email, password } = await register(server)
  const other = await register(server)
  await times(20, () => signIn({ email }))
  expect((await signIn({ email, password, browser: asKnown(other) })).status).toBe(429)
  const forger = openBrowser(server)
  forger.cookies.set('device', randomBytes(100).toString('base64url'))
  expect((await signIn({ email, password, browser: forger })).status).toBe(429)
})

test('after many wrong passwords everywhere an anonymous visitor waits, and is let in', async () => {
  const user = await register(server)
  const { email, password } = user
  const limits = createPostgresLimits({ database: server.database })
  await limits.spend(attemptLimits.everywhere, email, 149)
  const began = Date.now()
  expect((await signIn({ email, password })).status).toBe(200)
  expect(Date.now() - began).toBeGreaterThanOrEqual(500)
})

test('replicas count together', async () => {
  const replica = await server.replicate()
  const { email, password } = await register(server)
  for (let index = 0; index < 10; index += 1) {
    await signIn({ email, browser: openBrowser(index % 2 === 0 ? server : replica) })
  }
  const response = await signIn({ email, password, browser: openBrowser(replica) })
  expect(response.status).toBe(429)
  await replica.close()
})

test('sign-ups of one address are limited, right or wrong', async () => {
  const limits = createPostgresLimits({ database: server.database })
  const from = '192.0.2.8'
  await limits.spend(attemptLimits.signUp, from, 199)
  const signUp = (address: string) =>
    openBrowser(server).send('POST', '/api/auth/signUp', makeRegistration(), {
      'x-forwarded-for': address,
    })
  expect((await signUp(from)).status).toBe(201)
  expect((await signUp(from)).status).toBe(429)
  expect((await signUp('192.0.2.9')).status).toBe(201)
})

test('one address finds out about 200 addresses of accounts in five minutes, and no more', async () => {
  const { email } = await register(server)
  const limits = createPostgresLimits({ database: server.database })
  const from = '192.0.2.10'
  const guess = () =>
    openBrowser(server).send(
      'POST',
      '/api/auth/signUp',
      { ...makeRegistration(), email },
      { 'x-forwarded-for': from },
    )
  expect(await guess()).toMatchObject({ status: 400, body: { code: 'email_taken' } })
  await limits.spend(attemptLimits.signUp, from, 198)
  expect((await guess()).status).toBe(400)
  expect((await guess()).status).toBe(429)
})

test('when the limits cannot be counted nobody is let in', async () => {
  const { email, password } = await register(server)
  await server.database.knex.raw('alter table rate_limits rename to elsewhere')
  const response = await signIn({ email, password })
  await server.database.knex.raw('alter table elsewhere rename to rate_limits')
  expect(response.status).toBeGreaterThanOrEqual(500)
  expect(response.setCookies).toEqual([])
})
