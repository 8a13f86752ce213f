import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { isSignedIn, makeRegistration, openBrowser, register } from '../testing/browser.ts'

let server: AuthServer
beforeEach(async () => {
  server = await startAuthServer()
})
afterEach(() => server.close())

const signUp = (registration: unknown, headers?: Record<string, string>) =>
  openBrowser(server).send('POST', '/api/auth/signUp', registration, headers)

test('returns tokens and the user without any hash, and signs in by cookies', async () => {
  const registration = makeRegistration()
  const browser = openBrowser(server)
  const { status, body, text } = await browser.send('POST', '/api/auth/signUp', registration)
  expect(status).toBe(201)
  expect(body).toEqual({
    accessToken: browser.cookies.get('access_token'),
    refreshToken: browser.cookies.get('refresh_token'),
    user: {
      id: expect.any(String),
      username: registration.username,
      email: registration.email,
      isAdmin: true,
      totpVerified: false,
    },
  })
  expect(text).not.toContain('argon2')
  await expect(isSignedIn(browser)).resolves.toBe(true)
})

test('refuses a common password, whatever its case, and makes no account', async () => {
  const registration = { ...makeRegistration(), password: 'PassWord123' }
  const response = await signUp(registration)
  expect(response).toMatchObject({ status: 400, body: { code: 'password_too_common' } })
  await expect(server.database.knex('users')).resolves.toEqual([])
})

test('sets its cookies out of reach of scripts, Secure only over TLS', async () => {
  const access =
    /^access_token=[^;]+; Max-Age=7776000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/
  const refresh =
    /^refresh_token=[^;]+; Max-Age=7776000; Path=\/api\/auth\/token; Expires=[^;]+; HttpOnly; SameSite=Strict$/
  const device =
    /^device=[^;]+; Max-Age=31536000; Path=\/api\/auth; Expires=[^;]+; HttpOnly; SameSite=Lax$/
  const plain = await signUp(makeRegistration())
  expect(plain.setCookies).toEqual([
    expect.stringMatching(access),
    expect.stringMatching(refresh),
    expect.stringMatching(device),
  ])
  const secure = await signUp(makeRegistration(), { 'x-forwarded-proto': 'https' })
  expect(secure.setCookies).toEqual([
    expect.stringContaining('; Secure'),
    expect.stringContaining('; Secure'),
    expect.stringContaining('; Secure'),
  ])
})

test('makes exactly one administrator when 50 people come first at once', async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, () => signUp(makeRegistration())))
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(201))
  const admins = await server.database.knex('users').where({ is_admin: true })
  expect(admins).toHaveLength(1)
})

test('lets exactly one of many in on an empty installation with closed registration', async () => {
  server.settings['share.allowRegistration'] = false
  const responses = await Promise.all(Array.from({ length: 10 }, () => signUp(makeRegistration())))
  const statuses = responses.map(({ status }) => status).sort((a, b) => a - b)
  expect(statuses).toEqual([201, ...Array(9).fill(403)])
  const users = await server.database.knex('users')
  expect(users).toEqual([expect.objectContaining({ is_admin: true })])
})

test('refuses everyone after the first while registration is closed', async () => {
  await register(server)
  server.settings['share.allowRegistration'] = false
  const { status, body } = await signUp(makeRegistration())
  expect({ status, body }).toMatchObject({
    status: 403,
    body: { code: 'registration_disabled', statusCode: 403 },
  })
  await expect(server.database.knex('users')).resolves.toHaveLength(1)
})

test('refuses names and addresses that differ only in case, and keeps nothing', async () => {
  const first = await register(server)
  const other = makeRegistration()
  const sameName = await signUp({ ...other, username: first.username.toUpperCase() })
  expect(sameName).toMatchObject({ status: 400, body: { code: 'username_taken' } })
  const sameEmail = await signUp({ ...other, email: first.email.toUpperCase() })
  expect(sameEmail).toMatchObject({ status: 400, body: { code: 'email_taken' } })
  await expect(server.database.knex('users')).resolves.toHaveLength(1)
  await expect(server.database.knex('sessions')).resolves.toHaveLength(1)
})

test('gives one name to one of many who ask at once', async () => {
  const { username, password } = makeRegistration()
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      signUp({ username, password, email: `${index}.${username}@example.org` }),
    ),
  )
  const statuses = responses.map(({ status }) => status).sort((a, b) => a - b)
  expect(statuses).toEqual([201, ...Array(7).fill(400)])
})

test('keeps passwords and refresh tokens only as hashes', async () => {
  const { password, browser } = await register(server)
  const token = browser.cookies.get('refresh_token') ?? ''
  const [credentials] = await server.database.knex('credentials')
  expect(credentials.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(credentials.password_hash).not.toContain(password)
  const [stored] = await server.database.knex('refresh_tokens')
  expect(stored.token_hash).toHaveLength(32)
  expect(stored.token_hash.toString('base64url')).not.toBe(token)
})
