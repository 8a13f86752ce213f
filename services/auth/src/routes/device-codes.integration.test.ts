import { DEVICE_CODE_GRANT, jobs } from '@floe/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { type Browser, openBrowser, register } from '../testing/browser.ts'

let server: AuthServer
let admin: Browser
beforeAll(async () => {
  server = await startAuthServer()
  server.settings['general.appUrl'] = 'https://files.example.org/'
  ;({ browser: admin } = await register(server))
})
afterAll(() => server.close())

const form = { 'content-type': 'application/x-www-form-urlencoded' }

function post(path: string, fields: Record<string, string>) {
  const body = new URLSearchParams(fields).toString()
  return openBrowser(server).send('POST', `/api/oauth/device/${path}`, body, form)
}

async function begin(fields: Record<string, string> = {}) {
  const response = await post('authorize', { client_id: 'floe', client_name: 'laptop', ...fields })
  expect(response.status, response.text).toBe(200)
  const { device_code: deviceCode, user_code: userCode } = response.body
  return { response, deviceCode: String(deviceCode), userCode: String(userCode) }
}

const redeem = (deviceCode: string, clientId = 'floe') =>
  post('token', { grant_type: DEVICE_CODE_GRANT, device_code: deviceCode, client_id: clientId })

const decide = (browser: Browser, userCode: string, approve: boolean) =>
  browser.send('POST', `/api/oauth/device/${userCode}`, { approve })

const refusal = (error: string) => ({ status: 400, body: { error } })

test('what is approved becomes a token of who approved it, once', async () => {
  const { browser, username } = await register(server)
  const { response, deviceCode, userCode } = await begin({ scope: 'account:read shares:read' })
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(userCode).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
  expect(response.body).toMatchObject({
    verification_uri: 'https://files.example.org/device',
    verification_uri_complete: `https://files.example.org/device?code=${userCode}`,
    expires_in: 600,
    interval: 5,
  })

  const typed = userCode.toLowerCase().replace('-', '')
  const asked = await browser.send('GET', `/api/oauth/device/${typed}`)
  expect(asked.body).toMatchObject({
    ...{ userCode, clientName: 'laptop', address: '127.0.0.1' },
    scopes: ['shares:read', 'account:read'],
  })
  expect(await redeem(deviceCode)).toMatchObject(refusal('authorization_pending'))
  expect((await decide(browser, typed, true)).status).toBe(204)
  expect((await decide(browser, typed, false)).status).toBe(404)

  const redeemed = await redeem(deviceCode)
  expect(redeemed).toMatchObject({
    status: 200,
    body: { token_type: 'Bearer', expires_in: 90 * 86_400, scope: 'shares:read account:read' },
  })
  expect(redeemed.headers.get('cache-control')).toBe('no-store')
  const authorization = `Bearer ${String(redeemed.body['access_token'])}`
  const me = await openBrowser(server).send('GET', '/api/users/me', undefined, { authorization })
  expect(me.body).toMatchObject({ username })
  const listed = await browser.send('GET', '/api/tokens')
  expect(JSON.parse(listed.text)).toMatchObject([{ name: 'Command line on laptop' }])
  expect(await redeem(deviceCode)).toMatchObject(refusal('invalid_grant'))
})

test('of many requests for a token at the same time, one gets it', async () => {
  const { deviceCode, userCode } = await begin()
  await decide(admin, userCode, true)
  const responses = await Promise.all(Array.from({ length: 5 }, () => redeem(deviceCode)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('who asks too often is told to wait five seconds longer', async () => {
  const { deviceCode } = await begin()
  expect(await redeem(deviceCode)).toMatchObject(refusal('authorization_pending'))
  expect(await redeem(deviceCode)).toMatchObject(refusal('slow_down'))
  server.passSeconds(7)
  expect(await redeem(deviceCode)).toMatchObject(refusal('slow_down'))
  server.passSeconds(16)
  expect(await redeem(deviceCode)).toMatchObject(refusal('authorization_pending'))
})

test('what is refused stays refused', async () => {
  const { deviceCode, userCode } = await begin()
  await decide(admin, userCode, false)
  expect(await redeem(deviceCode)).toMatchObject(refusal('access_denied'))
  expect((await decide(admin, userCode, true)).status).toBe(404)
  expect(await redeem(deviceCode)).toMatchObject(refusal('access_denied'))
})

test('a code lives ten minutes, and is removed later', async () => {
  const { deviceCode, userCode } = await begin()
  server.passSeconds(601)
  expect((await decide(admin, userCode, true)).status).toBe(404)
  expect(await redeem(deviceCode)).toMatchObject(refusal('expired_token'))
  server.passSeconds(3600)
  await server.runJob(jobs.purgeTokens, {})
  expect(await redeem(deviceCode)).toMatchObject(refusal('invalid_grant'))
})

test('it counts for its client alone', async () => {
  const { browser } = await register(server)
  const { deviceCode, userCode } = await begin()
  await decide(browser, userCode, true)
  expect(await redeem(deviceCode, 'other')).toMatchObject(refusal('invalid_grant'))
  expect((await redeem(deviceCode)).status).toBe(200)
})

test('scopes of administrators need one, also when the token is made', async () => {
  const { browser, username } = await register(server)
  const { deviceCode, userCode } = await begin({ scope: 'admin:read' })
  expect((await decide(browser, userCode, true)).status).toBe(403)
  const setRank = (isAdmin: boolean) =>
    server.database.knex('users').where({ username }).update({ is_admin: isAdmin })
  await setRank(true)
  expect((await decide(browser, userCode, true)).status).toBe(204)
  await setRank(false)
  expect(await redeem(deviceCode)).toMatchObject(refusal('access_denied'))
})

test('a deleted account gets no token', async () => {
  const { browser, username } = await register(server)
  const { deviceCode, userCode } = await begin()
  await decide(browser, userCode, true)
  await server.database.knex('users').where({ username }).delete()
  expect(await redeem(deviceCode)).toMatchObject(refusal('invalid_grant'))
})

test('an account approves once its address is proven', async () => {
  const { browser, username } = await register(server)
  await server.database.knex('users').where({ username }).update({ email_standing: 'owed' })
  Object.assign(server.settings, {
    'general.requireEmailVerification': true,
    'smtp.enabled': true,
  })
  const { userCode } = await begin()
  expect(await decide(browser, userCode, true)).toMatchObject({
    body: { code: 'email_not_verified' },
  })
  Object.assign(server.settings, { 'general.requireEmailVerification': false })
})

test('guessing codes comes to an end', async () => {
  const { browser } = await register(server)
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await browser.send('GET', '/api/oauth/device/BCDF-GHJK')).status).toBe(404)
  }
  const { userCode } = await begin()
  expect((await browser.send('GET', `/api/oauth/device/${userCode}`)).status).toBe(429)
})

test('without a client nothing can be asked for', async () => {
  expect((await post('authorize', {})).status).toBe(400)
})

test.each(['everything', 'shares:read everything', ' '])(
  'the scope %j is refused as RFC 6749 has it',
  async (scope) => {
    const refused = await post('authorize', { client_id: 'floe', scope })
    expect(refused).toMatchObject(refusal('invalid_scope'))
  },
)

test('another grant type is refused as RFC 6749 has it', async () => {
  const asked = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'floe' }
  expect(await post('token', asked)).toMatchObject(refusal('unsupported_grant_type'))
})
