import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { type Browser, isSignedIn, openBrowser, register, signIn } from '../testing/browser.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const renew = (browser: Browser) => browser.send('POST', '/api/auth/token')

test('renews the access token and rotates the refresh cookie', async () => {
  const { browser } = await register(server)
  const before = new Map(browser.cookies)
  const { status, body } = await renew(browser)
  expect(status).toBe(200)
  expect(body).toEqual({ accessToken: browser.cookies.get('access_token') })
  expect(browser.cookies.get('refresh_token')).not.toBe(before.get('refresh_token'))
  await expect(isSignedIn(browser)).resolves.toBe(true)
  expect((await renew(browser)).status).toBe(200)
})

test.each([
  ['no cookie', undefined],
  ['an unknown token', 'x'.repeat(43)],
  ['an empty cookie', ''],
  ['hostile text', '%00%F0'],
])('refuses to renew with %s', async (_, token) => {
  const browser = openBrowser(server)
  if (token !== undefined) browser.cookies.set('refresh_token', token)
  const response = await renew(browser)
  expect(response).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  expect(response.setCookies).toEqual([])
})

test('an access token ends after 15 minutes, the session goes on by renewal', async () => {
  const { browser } = await register(server)
  server.passSeconds(15 * 60)
  await expect(isSignedIn(browser)).resolves.toBe(false)
  expect((await renew(browser)).status).toBe(200)
  await expect(isSignedIn(browser)).resolves.toBe(true)
})

test('two tabs that renew with one cookie at once both stay signed in', async () => {
  const { browser } = await register(server)
  const tabs = [browser.copy(), browser.copy(), browser.copy()]
  const responses = await Promise.all(tabs.map(renew))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(tabs.map(({ cookies }) => cookies.get('refresh_token'))).size).toBe(3)
  for (const tab of tabs) {
    await expect(isSignedIn(tab)).resolves.toBe(true)
    expect((await renew(tab)).status).toBe(200)
  }
})

test('a replaced refresh token that comes back later ends the whole session', async () => {
  const { browser } = await register(server)
  const thief = browser.copy()
  await renew(browser)
  server.passSeconds(6)
  expect((await renew(thief)).status).toBe(401)
  await expect(isSignedIn(browser)).resolves.toBe(false)
  expect((await renew(browser)).status).toBe(401)
})

test('a replaced token ends the session at once when its successor was replaced too', async () => {
  const { browser } = await register(server)
  const thief = browser.copy()
  await renew(browser)
  await renew(browser)
  expect((await renew(thief)).status).toBe(401)
  await expect(isSignedIn(browser)).resolves.toBe(false)
})

test('using the grace does not make it longer', async () => {
  const { browser } = await register(server)
  const late = browser.copy()
  await renew(browser)
  server.passSeconds(3)
  expect((await renew(late.copy())).status).toBe(200)
  server.passSeconds(3)
  expect((await renew(late)).status).toBe(401)
  await expect(isSignedIn(browser)).resolves.toBe(false)
})

test('reuse ends one session, not the other ones of the user', async () => {
  const user = await register(server)
  const other = await signIn(server, user)
  const thief = user.browser.copy()
  await renew(user.browser)
  server.passSeconds(6)
  await renew(thief)
  await expect(isSignedIn(other)).resolves.toBe(true)
})

test('a session ends once it was not used for 90 days, and goes on while it is', async () => {
  const { browser } = await register(server)
  for (const days of [89, 89]) {
    server.passSeconds(days * 24 * 3600)
    expect((await renew(browser)).status).toBe(200)
  }
  server.passSeconds(90 * 24 * 3600)
  expect((await renew(browser)).status).toBe(401)
  await expect(isSignedIn(browser)).resolves.toBe(false)
})

test('a session lives as long as the settings say, also one that began before', async () => {
  const before = await register(server)
  server.settings['general.sessionDuration'] = 2
  const user = await register(server)
  const renewed = await renew(user.browser)
  expect(renewed.status).toBe(200)
  expect(renewed.setCookies).toEqual([
    expect.stringContaining('Max-Age=7200;'),
    expect.stringContaining('Max-Age=7200;'),
  ])
  server.passSeconds(2 * 3600)
  expect((await renew(user.browser)).status).toBe(401)
  expect((await renew(before.browser)).status).toBe(401)
  server.settings['general.sessionDuration'] = 2_160
})

test('a session ends at last, however often it is used, also one that began before', async () => {
  const before = await register(server)
  server.settings['general.longestSession'] = 3
  const user = await register(server)
  server.passSeconds(2 * 3600)
  const renewed = await renew(user.browser)
  expect(renewed.setCookies).toEqual([
    expect.stringMatching(/Max-Age=(3599|3600);/),
    expect.stringMatching(/Max-Age=(3599|3600);/),
  ])
  expect((await renew(before.browser)).status).toBe(200)
  server.passSeconds(3600)
  expect((await renew(user.browser)).status).toBe(401)
  expect((await renew(before.browser)).status).toBe(401)
  server.settings['general.longestSession'] = 0
})

test('sign-out returns 201 and nothing, clears both cookies and refuses held tokens', async () => {
  const user = await register(server)
  const other = await signIn(server, user)
  const thief = user.browser.copy()
  const { status, text, setCookies } = await user.browser.send('POST', '/api/auth/signOut')
  expect({ status, text }).toEqual({ status: 201, text: '' })
  expect(setCookies).toEqual([
    expect.stringMatching(/^access_token=; Path=\/;.*1970/),
    expect.stringMatching(/^refresh_token=; Path=\/api\/auth\/token;.*1970/),
  ])
  await expect(isSignedIn(thief)).resolves.toBe(false)
  expect((await renew(thief)).status).toBe(401)
  await expect(isSignedIn(other)).resolves.toBe(true)
})

test('sign-out ends the session even when its access token has expired', async () => {
  const { browser } = await register(server)
  const thief = browser.copy()
  server.passSeconds(16 * 60)
  expect((await browser.send('POST', '/api/auth/signOut')).status).toBe(201)
  expect((await renew(thief)).status).toBe(401)
})

test('sign-out ends the session named by a refresh cookie alone', async () => {
  const { browser } = await register(server)
  const cookie = `refresh_token=${browser.cookies.get('refresh_token')}`
  await openBrowser(server).send('POST', '/api/auth/signOut', undefined, { cookie })
  await expect(isSignedIn(browser)).resolves.toBe(false)
})

test('sign-out ends nothing for a token that is not ours', async () => {
  const { browser } = await register(server)
  const [head, claims] = (browser.cookies.get('access_token') ?? '').split('.')
  const forger = openBrowser(server)
  forger.cookies.set('access_token', `${head}.${claims}.${'A'.repeat(43)}`)
  expect((await forger.send('POST', '/api/auth/signOut')).status).toBe(201)
  await expect(isSignedIn(browser)).resolves.toBe(true)
})

test('sign-out without a session returns the same', async () => {
  const { status, text } = await openBrowser(server).send('POST', '/api/auth/signOut')
  expect({ status, text }).toEqual({ status: 201, text: '' })
})

test('replicas share one key, and an end on one counts on the other', async () => {
  const user = await register(server)
  const replica = await server.replicate()
  const elsewhere = openBrowser(replica, user.browser.cookies)
  await expect(isSignedIn(elsewhere)).resolves.toBe(true)
  await user.browser.send('POST', '/api/auth/signOut')
  await expect(isSignedIn(elsewhere)).resolves.toBe(false)
  await replica.close()
})

test('replicas that start together on a fresh database make one key', async () => {
  const { knex } = server.database
  await knex('auth_secrets').delete()
  const replicas = await Promise.all(Array.from({ length: 6 }, () => server.replicate()))
  await expect(knex('auth_secrets')).resolves.toHaveLength(1)
  const [first, ...others] = replicas
  const { browser } = await register(first ?? server)
  for (const other of others) {
    await expect(isSignedIn(openBrowser(other, browser.cookies))).resolves.toBe(true)
  }
  await Promise.all(replicas.map((replica) => replica.close()))
  await server.close()
  server = await startAuthServer()
})

test('the port names the living holder of a token, and nobody else', async () => {
  const { browser, id, username, email } = await register(server)
  const accessToken = browser.cookies.get('access_token') ?? ''
  await expect(server.port.identify({ accessToken })).resolves.toMatchObject({
    userId: id,
    username,
    email,
  })
  await expect(server.port.identify({ accessToken: null })).resolves.toBeNull()
  await expect(server.port.identify({ accessToken: '\u0000' })).resolves.toBeNull()
  await browser.send('POST', '/api/auth/signOut')
  await expect(server.port.identify({ accessToken })).resolves.toBeNull()
})

test('the port finds the users that exist among the ids asked for', async () => {
  const first = await register(server)
  const second = await register(server)
  const users = await server.port.findUsers({ ids: [first.id, randomUUID(), second.id] })
  expect(users).toHaveLength(2)
  expect(users).toContainEqual({
    id: first.id,
    username: first.username,
    email: first.email,
    showsName: true,
    isAdmin: false,
    sharingExceptions: {},
  })
  await expect(server.port.findUsers({ ids: [] })).resolves.toEqual([])
})
