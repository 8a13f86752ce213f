import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { openAuthenticator, setUpTotp } from '../testing/authenticator.ts'
import { type Browser, openBrowser, register, signIn } from '../testing/browser.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const enable = (browser: Browser, body: unknown) =>
  browser.send('POST', '/api/auth/totp/enable', body)
const verify = (browser: Browser, body: unknown) =>
  browser.send('POST', '/api/auth/totp/verify', body)
const disable = (browser: Browser, body: unknown) =>
  browser.send('POST', '/api/auth/totp/disable', body)
const createCodes = (browser: Browser, body: unknown) =>
  browser.send('POST', '/api/auth/totp/recoveryCodes', body)
const isTotpOn = async (browser: Browser) =>
  (await browser.send('GET', '/api/users/me')).body['totpVerified']
const totpRow = (id: string) => server.database.knex('totp_secrets').where({ user_id: id }).first()

async function withTotp() {
  const user = await register(server)
  return { ...user, authenticator: await setUpTotp(server, user) }
}

async function withoutPassword() {
  const user = await register(server)
  await server.database.knex('credentials').where({ user_id: user.id }).delete()
  return user
}

test('enabling returns secret, address and picture, and counts only once verified', async () => {
  server.settings['general.appName'] = 'Our: files'
  const { browser, password, email, id } = await register(server)
  const { status, body } = await enable(browser, { password })
  server.settings['general.appName'] = 'Floe'
  expect(status).toBe(201)
  const secret = String(body['totpSecret'])
  expect(body).toEqual({
    totpSecret: expect.stringMatching(/^[A-Z2-7]{32}$/),
    totpAuthUrl: `otpauth://totp/Our%20files:${encodeURIComponent(email)}?secret=${secret}&issuer=Our%20files`,
    qrCode: expect.stringMatching(/^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/),
  })
  const picture = Buffer.from(String(body['qrCode']).split(',')[1] ?? '', 'base64').toString()
  expect(picture).toMatch(/^<svg [^]*<\/svg>\s*$/)
  await expect(isTotpOn(browser)).resolves.toBe(false)

  const code = openAuthenticator(server, secret).code()
  const verified = await verify(browser, { password, code })
  expect(verified).toMatchObject({ status: 201, text: 'true' })
  await expect(isTotpOn(browser)).resolves.toBe(true)
  expect((await totpRow(id)).sealed_secret.toString('latin1')).not.toContain(secret)
})

test('until it is verified nobody is asked for a code', async () => {
  const user = await register(server)
  await enable(user.browser, { password: user.password })
  expect((await signIn(server, user)).cookies.get('access_token')).toEqual(expect.any(String))
})

test('enabling anew replaces a secret that was never verified', async () => {
  const { browser, password } = await register(server)
  const first = (await enable(browser, { password })).body['totpSecret']
  const second = (await enable(browser, { password })).body['totpSecret']
  expect(second).not.toBe(first)
  const old = openAuthenticator(server, String(first)).code()
  expect(await verify(browser, { password, code: old })).toMatchObject({
    status: 400,
    body: { code: 'invalid_totp' },
  })
  const code = openAuthenticator(server, String(second)).code()
  expect((await verify(browser, { password, code })).status).toBe(201)
})

test('what is on cannot be enabled or verified again, and what is off not disabled', async () => {
  const { browser, password, authenticator } = await withTotp()
  const code = authenticator.nextCode()
  expect(await enable(browser, { password })).toMatchObject({
    status: 400,
    body: { code: 'totp_already_enabled' },
  })
  expect(await verify(browser, { password, code })).toMatchObject({
    status: 400,
    body: { code: 'totp_not_in_progress' },
  })
  const other = await register(server)
  for (const send of [verify, disable]) {
    const response = await send(other.browser, { password: other.password, code: '123456' })
    expect(response.status).toBe(400)
    expect(response.body['code']).toMatch(/^totp_not_(in_progress|enabled)$/)
  }
  expect(await createCodes(other.browser, { password: other.password })).toMatchObject({
    status: 400,
    body: { code: 'totp_not_enabled' },
  })
})

test('a code that verified TOTP counts nowhere again', async () => {
  const { browser, password, authenticator } = await withTotp()
  const response = await disable(browser, { password, code: authenticator.lastCode() })
  expect(response).toMatchObject({ status: 400, body: { code: 'invalid_totp' } })
  await expect(isTotpOn(browser)).resolves.toBe(true)
})

test('of two verifications with one code at once, one wins', async () => {
  const { browser, password } = await register(server)
  const secret = String((await enable(browser, { password })).body['totpSecret'])
  const body = { password, code: openAuthenticator(server, secret).code() }
  const responses = await Promise.all([verify(browser, body), verify(browser, body)])
  expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400])
  await expect(isTotpOn(browser)).resolves.toBe(true)
})

test('disabling takes secret and recovery codes away', async () => {
  const { browser, password, id, authenticator } = await withTotp()
  await createCodes(browser, { password })
  const response = await disable(browser, { password, code: authenticator.nextCode() })
  expect(response).toMatchObject({ status: 201, text: 'true' })
  await expect(isTotpOn(browser)).resolves.toBe(false)
  await expect(totpRow(id)).resolves.toBeUndefined()
  const codes = server.database.knex('recovery_codes').where({ user_id: id })
  await expect(codes).resolves.toEqual([])
})

test('a recovery code disables too, for a user who lost the authenticator', async () => {
  const { browser, password } = await withTotp()
  const { body } = await createCodes(browser, { password })
  const [code = ''] = body['recoveryCodes'] as string[]
  expect((await disable(browser, { password, code: 'aaaa-aaaa-aaaa-aaaa' })).status).toBe(400)
  expect((await disable(browser, { password, code: code.toUpperCase() })).status).toBe(201)
  await expect(isTotpOn(browser)).resolves.toBe(false)
})

test('recovery codes are shown once and kept hashed', async () => {
  const { browser, password, id } = await withTotp()
  const { status, body } = await createCodes(browser, { password })
  expect(status).toBe(201)
  const codes = body['recoveryCodes'] as string[]
  expect(codes).toHaveLength(10)
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  const rows = await server.database.knex('recovery_codes').where({ user_id: id })
  expect(rows).toHaveLength(10)
  for (const row of rows) {
    expect(row.code_hash).toHaveLength(32)
    expect(row.used_at).toBeNull()
  }
})

test('new recovery codes need a code of the app, and end the earlier ones', async () => {
  const { browser, password, authenticator } = await withTotp()
  const first = (await createCodes(browser, { password })).body['recoveryCodes'] as string[]
  expect(await createCodes(browser, { password })).toMatchObject({
    status: 400,
    body: { code: 'invalid_totp' },
  })
  expect((await createCodes(browser, { password, code: '000000' })).status).toBe(400)
  const second = await createCodes(browser, { password, code: authenticator.nextCode() })
  expect(second.status).toBe(201)
  expect((await disable(browser, { password, code: first[0] })).status).toBe(400)
  const [code] = second.body['recoveryCodes'] as string[]
  expect((await disable(browser, { password, code })).status).toBe(201)
})

test('of two first requests for recovery codes at once, one gets them', async () => {
  const { browser, password } = await withTotp()
  const responses = await Promise.all([
    createCodes(browser, { password }),
    createCodes(browser, { password }),
  ])
  expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400])
})

const calls = [
  ['enable', {}],
  ['verify', { code: '123456' }],
  ['disable', { code: '123456' }],
  ['recoveryCodes', {}],
] as const

test.each(calls)('%s needs a session', async (path, body) => {
  const response = await openBrowser(server).send('POST', `/api/auth/totp/${path}`, body)
  expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})

test.each(calls)('%s needs the right password', async (path, body) => {
  const { browser, authenticator, id } = await withTotp()
  const code = 'code' in body ? { code: authenticator.nextCode() } : {}
  for (const password of [{}, { password: '' }, { password: 'wrong' }]) {
    const response = await browser.send('POST', `/api/auth/totp/${path}`, { ...code, ...password })
    expect(response).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
  }
  await expect(totpRow(id)).resolves.toMatchObject({ verified_at: expect.any(Date) })
})

test.each([
  ['enable', { password: 5 }],
  ['verify', {}],
  ['verify', { code: '12345' }],
  ['verify', { code: 123456 }],
  ['verify', { code: 'abcdef' }],
  ['disable', {}],
  ['disable', { code: 'x'.repeat(65) }],
  ['recoveryCodes', { code: 'abcd-efgh-ijkl-mnop' }],
  ['recoveryCodes', { password: 'x'.repeat(1025) }],
])('%s refuses %j', async (path, body) => {
  const { browser } = await register(server)
  const response = await browser.send('POST', `/api/auth/totp/${path}`, body)
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
})

test('an account without a password needs none, only the code', async () => {
  const { browser } = await withoutPassword()
  const secret = String((await enable(browser, {})).body['totpSecret'])
  const authenticator = openAuthenticator(server, secret)
  expect((await verify(browser, { code: authenticator.code() })).status).toBe(201)
  expect((await createCodes(browser, {})).status).toBe(201)
  expect((await disable(browser, { code: '000000' })).status).toBe(400)
  expect((await disable(browser, { code: authenticator.nextCode() })).status).toBe(201)
})

test('wrong passwords and codes of a session are refused unseen after ten', async () => {
  const user = await withTotp()
  const other = await register(server)
  for (let index = 0; index < 5; index += 1) {
    expect((await enable(user.browser, { password: 'wrong' })).status).toBe(403)
    const guess = { password: user.password, code: '000000' }
    expect((await disable(user.browser, guess)).status).toBe(400)
  }
  const right = { password: user.password, code: user.authenticator.nextCode() }
  const refused = await disable(user.browser, right)
  expect(refused).toMatchObject({
    status: 429,
    body: { statusCode: 429, message: 'ThrottlerException: Too Many Requests' },
  })
  const change = { oldPassword: user.password, password: 'a new password' }
  expect((await user.browser.send('PATCH', '/api/auth/password', change)).status).toBe(429)
  expect((await enable(other.browser, { password: other.password })).status).toBe(201)
})
