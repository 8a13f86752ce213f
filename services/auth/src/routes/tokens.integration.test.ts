import { randomUUID } from 'node:crypto'
import type { ApiToken, CreatedToken } from '@floe/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { type Browser, openBrowser, register } from '../testing/browser.ts'

let server: AuthServer
let admin: Browser
beforeAll(async () => {
  server = await startAuthServer()
  ;({ browser: admin } = await register(server))
})
afterAll(() => server.close())

const input = { name: 'backup', scopes: ['shares:write', 'account:read'] }

async function makeToken(browser: Browser, changes: object = {}): Promise<CreatedToken> {
  const response = await browser.send('POST', '/api/tokens', { ...input, ...changes })
  expect(response.status, response.text).toBe(201)
  return JSON.parse(response.text)
}

async function listTokens(browser: Browser, query = ''): Promise<ApiToken[]> {
  return JSON.parse((await browser.send('GET', `/api/tokens${query}`)).text)
}

/** Without a cookie. */
function callMe(token: string, authorization = `Bearer ${token}`) {
  return openBrowser(server).send('GET', '/api/users/me', undefined, { authorization })
}

test('is shown once, and listed by its beginning', async () => {
  const { browser } = await register(server)
  const { token, ...created } = await makeToken(browser)
  const [listed] = await listTokens(browser)
  expect(listed).toEqual(created)
  expect(JSON.stringify(listed)).not.toContain(token)
  expect(created).toMatchObject({ ...input, prefix: token.slice(0, 10), lastUse: null })
  const days = (Date.parse(created.expiresAt ?? '') - server.now().getTime()) / 86_400_000
  expect(days).toBeCloseTo(90, 1)
})

test.each([
  ['a bearer token', (token: string) => `Bearer ${token}`],
  ['the password of Basic', (token: string) => `Basic ${btoa(`:${token}`)}`],
  ['the name of Basic', (token: string) => `basic ${btoa(`${token}:`)}`],
])('counts as %s, and no cookie does beside it', async (_, write) => {
  const { browser, username } = await register(server)
  const { token } = await makeToken(browser)
  const { body, setCookies } = await admin.send('GET', '/api/users/me', undefined, {
    authorization: write(token),
  })
  expect(body).toMatchObject({ username })
  expect(setCookies).toEqual([])
})

test('in a cookie it counts for nothing', async () => {
  const { browser } = await register(server)
  const { token } = await makeToken(browser, { scopes: ['account:read'] })
  const thief = openBrowser(server, new Map([['access_token', `${token} account:read`]]))
  expect((await thief.send('GET', '/api/users/me')).status).toBe(403)
  expect((await thief.send('POST', '/api/tokens', input)).status).toBe(403)
})

test('its use is told, at most once a minute', async () => {
  const { browser } = await register(server)
  const { token } = await makeToken(browser)
  await callMe(token)
  const [first] = await listTokens(browser)
  expect(first?.lastUse).toMatchObject({ address: '127.0.0.1' })
  server.passSeconds(59)
  await callMe(token)
  expect((await listTokens(browser))[0]?.lastUse).toEqual(first?.lastUse)
  server.passSeconds(2)
  await callMe(token)
  expect((await listTokens(browser))[0]?.lastUse?.at).not.toBe(first?.lastUse?.at)
})

test.each([
  [['127.0.0.1'], 200],
  [['192.0.2.0/24', '127.0.0.0/8'], 200],
  [['192.0.2.0/24', '2001:db8::/32'], 401],
])('from the networks %j it gets %i', async (networks, status) => {
  const { browser } = await register(server)
  const { token } = await makeToken(browser, { networks })
  expect((await callMe(token)).status).toBe(status)
})

test.each([
  ['no scope', { scopes: [] }],
  ['an unknown scope', { scopes: ['shares:own'] }],
  ['no name', { name: ' ' }],
  ['what is no network', { networks: ['example.org'] }],
  ['a network that cannot be', { networks: ['10.0.0.0/33'] }],
  ['no size', { maxShareSize: 0 }],
  ['an end beyond all calendars', { expiresIn: '9999-years' }],
  ['a term that is none', { maxExpiration: 'soon' }],
])('is refused with %s', async (_, changes) => {
  const { browser } = await register(server)
  const response = await browser.send('POST', '/api/tokens', { ...input, ...changes })
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  expect(await listTokens(browser)).toEqual([])
})

test('scopes of administrators are for administrators', async () => {
  const { browser } = await register(server)
  const scopes = ['admin:read']
  expect((await browser.send('POST', '/api/tokens', { name: 'x', scopes })).status).toBe(403)
  expect((await admin.send('POST', '/api/tokens', { name: 'x', scopes })).status).toBe(201)
})

test('nobody sees or revokes those of others but administrators', async () => {
  const { browser: owner } = await register(server)
  const { browser: other } = await register(server)
  const { id, prefix } = await makeToken(owner)
  const { id: userId } = JSON.parse((await owner.send('GET', '/api/users/me')).text)
  expect((await other.send('GET', `/api/tokens?userId=${userId}`)).status).toBe(403)
  const refused = await other.send('DELETE', `/api/tokens/${id}`)
  expect(refused).toMatchObject({ status: 404, body: { code: 'token_not_found' } })
  expect(await listTokens(admin, `?userId=${userId}`)).toMatchObject([{ id, prefix }])
  expect((await admin.send('DELETE', `/api/tokens/${id}`)).status).toBe(204)
  expect((await admin.send('DELETE', `/api/tokens/${randomUUID()}`)).status).toBe(404)
})

test('one account has at most a hundred', async () => {
  const { browser } = await register(server)
  for (let made = 0; made < 100; made += 10) {
    await Promise.all(Array.from({ length: 10 }, () => makeToken(browser)))
  }
  const refused = await browser.send('POST', '/api/tokens', input)
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_tokens' } })
})

describe('of an administrator', () => {
  const call = async (path: string, body: object, method = 'PATCH') => {
    const { token } = await makeToken(admin, { scopes: ['admin:users'] })
    const authorization = `Bearer ${token}`
    return openBrowser(server).send(method, path, body, { authorization })
  }

  test.each([{ password: 'another password' }, { email: 'thief@floe.test' }, { isAdmin: true }])(
    'takes no account over: %j',
    async (changes) => {
      const { browser } = await register(server)
      const { id } = JSON.parse((await browser.send('GET', '/api/users/me')).text)
      const refused = await call(`/api/users/${id}`, changes)
      expect(refused).toMatchObject({ status: 403, body: { code: 'token_forbidden' } })
    },
  )

  test('makes accounts, but no administrators', async () => {
    const account = { username: 'made', email: 'made@floe.test', password: 'a long password' }
    const refused = await call('/api/users', { ...account, isAdmin: true }, 'POST')
    expect(refused).toMatchObject({ status: 403, body: { code: 'token_forbidden' } })
    expect((await call('/api/users', account, 'POST')).status).toBe(201)
  })
})

describe('ends', () => {
  test('when it is revoked, at every replica at once', async () => {
    const { browser } = await register(server)
    const replica = await server.replicate()
    const { id, token } = await makeToken(browser)
    expect((await callMe(token)).status).toBe(200)
    expect((await browser.send('DELETE', `/api/tokens/${id}`)).status).toBe(204)
    const authorization = `Bearer ${token}`
    for (const { url } of [server, replica]) {
      const { status, body } = await openBrowser({ url }).send(
        ...(['GET', '/api/users/me', undefined, { authorization }] as const),
      )
      expect({ status, code: body['code'] }).toEqual({ status: 401, code: 'token_invalid' })
    }
    await replica.close()
    expect(await listTokens(browser)).toEqual([])
  })

  test('with its owner', async () => {
    const { browser } = await register(server)
    const { token } = await makeToken(browser)
    expect((await browser.send('DELETE', '/api/users/me')).status).toBe(200)
    expect((await callMe(token)).body).toMatchObject({ code: 'token_invalid' })
  })

  test('when it expires, unless it never does', async () => {
    const { browser } = await register(server)
    const { token } = await makeToken(browser, { expiresIn: '1-minute' })
    const { token: lasting } = await makeToken(browser, { expiresIn: 'never' })
    server.passSeconds(61)
    expect((await callMe(token)).status).toBe(401)
    server.passSeconds(400 * 86_400)
    expect((await callMe(lasting)).status).toBe(200)
  })
})
