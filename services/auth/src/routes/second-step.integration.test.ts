import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { setUpTotp } from '../testing/authenticator.ts'
import {
  type Browser,
  isSignedIn,
  openBrowser,
  register,
  type Registration,
} from '../testing/browser.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

async function withTotp() {
  const user = await register(server)
  const authenticator = await setUpTotp(server, user)
  const codes = await user.browser.send('POST', '/api/auth/totp/recoveryCodes', {
    password: user.password,
  })
  return { ...user, authenticator, recoveryCodes: codes.body['recoveryCodes'] as string[] }
}

/** The first step in a browser that nobody knows. */
async function begin({ email, password }: Registration, browser = openBrowser(server)) {
  const response = await browser.send('POST', '/api/auth/signIn', { email, password })
  return { browser, response, loginToken: String(response.body['loginToken']) }
}

const finish = (browser: Browser, totp: unknown, loginToken: unknown) =>
  browser.send('POST', '/api/auth/signIn/totp', { totp, loginToken })

test('the right password alone returns a login token, and no cookies', async () => {
  const { browser, response } = await begin(await withTotp())
  expect(response.status).toBe(200)
  expect(response.body).toEqual({ loginToken: expect.stringMatching(/^[\w-]{43}$/) })
  expect(response.setCookies).toEqual([])
  await expect(isSignedIn(browser)).resolves.toBe(false)
})

test('token and code sign in', async () => {
  const user = await withTotp()
  const { browser, loginToken } = await begin(user)
  const { status, body } = await finish(browser, user.authenticator.nextCode(), loginToken)
  expect(status).toBe(200)
  expect(body).toEqual({
    accessToken: browser.cookies.get('access_token'),
    refreshToken: browser.cookies.get('refresh_token'),
  })
  await expect(isSignedIn(browser)).resolves.toBe(true)
})

test.each([
  ['a step early', -1],
  ['a step late', 1],
])('a clock %s still signs in', async (_, steps) => {
  const user = await withTotp()
  server.passSeconds(60)
  const { browser, loginToken } = await begin(user)
  expect((await finish(browser, user.authenticator.code(steps), loginToken)).status).toBe(200)
})

test('two steps off is too much', async () => {
  const user = await withTotp()
  server.passSeconds(90)
  const { browser, loginToken } = await begin(user)
  for (const steps of [-2, 2]) {
    const response = await finish(browser, user.authenticator.code(steps), loginToken)
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_totp' } })
  }
})

test('a used code cannot be replayed, whatever the token', async () => {
  const user = await withTotp()
  const code = user.authenticator.nextCode()
  const first = await begin(user)
  const second = await begin(user)
  expect((await finish(first.browser, code, first.loginToken)).status).toBe(200)
  expect(await finish(second.browser, code, second.loginToken)).toMatchObject({
    status: 400,
    body: { code: 'invalid_totp' },
  })
})

test('one code at once with many tokens signs in once', async () => {
  const user = await withTotp()
  const code = user.authenticator.nextCode()
  const begun = await Promise.all(Array.from({ length: 4 }, () => begin(user)))
  const responses = await Promise.all(
    begun.map(({ browser, loginToken }) => finish(browser, code, loginToken)),
  )
  const statuses = responses.map(({ status }) => status).sort((a, b) => a - b)
  expect(statuses).toEqual([200, 400, 400, 400])
})

test('one token at once with several right codes signs in once, and wastes none', async () => {
  const user = await withTotp()
  const { browser, loginToken } = await begin(user)
  const [first = '', second = ''] = user.recoveryCodes
  const responses = await Promise.all([
    finish(browser, first, loginToken),
    finish(browser, second, loginToken),
  ])
  expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401])
  const used = await server.database
    .knex('recovery_codes')
    .where({ user_id: user.id })
    .whereNotNull('used_at')
  expect(used).toHaveLength(1)
})

test('a recovery code signs in once', async () => {
  const user = await withTotp()
  const [code = ''] = user.recoveryCodes
  const first = await begin(user)
  expect((await finish(first.browser, code, first.loginToken)).status).toBe(200)
  const second = await begin(user)
  expect(await finish(second.browser, code, second.loginToken)).toMatchObject({
    status: 400,
    body: { code: 'invalid_totp' },
  })
  const [, next = ''] = user.recoveryCodes
  const typed = next.replaceAll('-', '').toUpperCase()
  expect((await finish(second.browser, typed, second.loginToken)).status).toBe(200)
})

test('two recoveries with one code at once: one signs in', async () => {
  const user = await withTotp()
  const [code = ''] = user.recoveryCodes
  const begun = await Promise.all([begin(user), begin(user)])
  const responses = await Promise.all(
    begun.map(({ browser, loginToken }) => finish(browser, code, loginToken)),
  )
  expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400])
})

test("one account's codes open no other account", async () => {
  const [user, other] = [await withTotp(), await withTotp()]
  const { browser, loginToken } = await begin(user)
  const foreign = other.recoveryCodes[0] ?? ''
  expect((await finish(browser, foreign, loginToken)).status).toBe(400)
  expect((await finish(browser, other.authenticator.nextCode(), loginToken)).status).toBe(400)
})

test('a login token works once', async () => {
  const user = await withTotp()
  const { browser, loginToken } = await begin(user)
  expect((await finish(browser, user.authenticator.nextCode(), loginToken)).status).toBe(200)
  expect(await finish(browser, user.authenticator.nextCode(), loginToken)).toMatchObject({
    status: 401,
    body: { code: 'unauthorized' },
  })
})

test('five wrong codes burn it', async () => {
  const user = await withTotp()
  const { browser, loginToken } = await begin(user)
  for (let index = 0; index < 5; index += 1) {
    expect((await finish(browser, '000000', loginToken)).status).toBe(400)
  }
  expect(await finish(browser, user.authenticator.nextCode(), loginToken)).toMatchObject({
    status: 401,
    body: { code: 'unauthorized' },
  })
  const again = await begin(user)
  const code = user.authenticator.nextCode()
  expect((await finish(again.browser, code, again.loginToken)).status).toBe(200)
})

test('of many wrong codes sent at once only five are looked at', async () => {
  const user = await withTotp()
  const { browser, loginToken } = await begin(user)
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => finish(browser, 'aaaa-aaaa-aaaa-aaaa', loginToken)),
  )
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(5)
  expect(responses.filter(({ status }) => status === 401)).toHaveLength(15)
})

test('an expired one is told so', async () => {
  const user = await withTotp()
  const { browser, loginToken } = await begin(user)
  server.passSeconds(5 * 60)
  expect(await finish(browser, user.authenticator.nextCode(), loginToken)).toMatchObject({
    status: 401,
    body: { statusCode: 401, error: 'token_expired', code: 'token_expired' },
  })
})

test.each([
  ['an unknown token', 'x'.repeat(43)],
  ['hostile text', '\u0000%'],
])('%s is refused', async (_, loginToken) => {
  const response = await finish(openBrowser(server), '123456', loginToken)
  expect(response).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

test.each([
  ['nothing', undefined, undefined],
  ['no token', '123456', undefined],
  ['a short code', '12345', 'x'],
  ['a number', 123456, 'x'],
  ['an endless token', '123456', 'x'.repeat(201)],
])('%s is no request', async (_, totp, loginToken) => {
  const response = await finish(openBrowser(server), totp, loginToken)
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
})

test('TOTP that was switched off between the steps is told', async () => {
  const user = await withTotp()
  const { browser, loginToken } = await begin(user)
  const body = { password: user.password, code: user.authenticator.nextCode() }
  expect((await user.browser.send('POST', '/api/auth/totp/disable', body)).status).toBe(201)
  expect(await finish(browser, '123456', loginToken)).toMatchObject({
    status: 400,
    body: { code: 'totp_not_enabled' },
  })
})

test('the login token opens nothing else', async () => {
  const user = await withTotp()
  const { loginToken } = await begin(user)
  const thief = openBrowser(server)
  thief.cookies.set('access_token', loginToken)
  thief.cookies.set('refresh_token', loginToken)
  const password = 'a new password'
  const calls = [
    ['GET', '/api/users/me', undefined, 403],
    ['PATCH', '/api/users/me', { username: 'somebody' }, 403],
    ['POST', '/api/auth/token', undefined, 401],
    ['PATCH', '/api/auth/password', { oldPassword: user.password, password }, 403],
    ['POST', '/api/auth/totp/disable', { password: user.password, code: '123456' }, 403],
    ['GET', '/api/auth/sessions', undefined, 403],
    ['POST', '/api/auth/resetPassword', { token: loginToken, password }, 400],
  ] as const
  for (const [method, path, body, status] of calls) {
    expect((await thief.send(method, path, body)).status).toBe(status)
  }
  await expect(server.port.identify({ accessToken: loginToken })).resolves.toBeNull()
})

test.each([
  ['a password change', changePassword],
  ['signing out everywhere', endSessions],
  ['the end of the account', deleteUser],
])('%s ends sign-ins that wait for their second step', async (_, end) => {
  const user = await withTotp()
  const { browser, loginToken } = await begin(user)
  await end(user)
  expect(await finish(browser, user.authenticator.nextCode(), loginToken)).toMatchObject({
    status: 401,
    body: { code: 'unauthorized' },
  })
})

async function changePassword({ browser, password }: { browser: Browser; password: string }) {
  const body = { oldPassword: password, password: 'a new password' }
  expect((await browser.send('PATCH', '/api/auth/password', body)).status).toBe(200)
}

async function endSessions({ browser }: { browser: Browser }) {
  expect((await browser.send('DELETE', '/api/auth/sessions')).status).toBe(204)
}

async function deleteUser({ browser }: { browser: Browser }) {
  await register(server)
  expect((await browser.send('DELETE', '/api/users/me')).status).toBe(200)
}

test('tokens and codes are kept hashed', async () => {
  const user = await withTotp()
  const { loginToken } = await begin(user)
  const rows = await server.database.knex('one_time_tokens').where({ user_id: user.id })
  expect(rows.at(-1).token_hash).toHaveLength(32)
  expect(rows.at(-1).token_hash.toString('base64url')).not.toBe(loginToken)
})

test('after 30 wrong codes only the owner gets in: in a known browser, or by recovery', async () => {
  const user = await withTotp()
  for (let token = 0; token < 6; token += 1) {
    const { browser, loginToken } = await begin(user)
    for (let index = 0; index < 5; index += 1) {
      expect((await finish(browser, '000000', loginToken)).status).toBe(400)
    }
  }
  const other = await begin(user)
  const refused = await finish(other.browser, user.authenticator.nextCode(), other.loginToken)
  expect(refused.status).toBe(429)

  const known = openBrowser(server)
  known.cookies.set('device', user.browser.cookies.get('device') ?? '')
  const { loginToken } = await begin(user, known)
  expect((await finish(known, user.authenticator.nextCode(), loginToken)).status).toBe(200)
  const recovery = user.recoveryCodes[0] ?? ''
  expect((await finish(other.browser, recovery, other.loginToken)).status).toBe(200)
})
