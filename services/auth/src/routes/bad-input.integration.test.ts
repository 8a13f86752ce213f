import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { type Browser, register, type Registration } from '../testing/browser.ts'

let server: AuthServer
let user: Registration & { browser: Browser; id: string }
beforeAll(async () => {
  server = await startAuthServer()
  user = await register(server)
})
afterAll(() => server.close())

const long = 'x'.repeat(300)
const email = 'someone@example.org'
const username = 'someone'
const password = 'long enough'
const signUp = ['POST', '/api/auth/signUp'] as const
const signIn = ['POST', '/api/auth/signIn'] as const
const changePassword = ['PATCH', '/api/auth/password'] as const
const updateUser = ['PATCH', '/api/users/me'] as const
const secondStep = ['POST', '/api/auth/signIn/totp'] as const
const resetPassword = ['POST', '/api/auth/resetPassword'] as const
const enableTotp = ['POST', '/api/auth/totp/enable'] as const
const verifyTotp = ['POST', '/api/auth/totp/verify'] as const
const disableTotp = ['POST', '/api/auth/totp/disable'] as const
const recoveryCodes = ['POST', '/api/auth/totp/recoveryCodes'] as const
const createUser = ['POST', '/api/users'] as const
const withBody = [
  ...[signUp, signIn, secondStep, changePassword, resetPassword],
  ...[enableTotp, verifyTotp, disableTotp, recoveryCodes, updateUser, createUser],
]

type BadCall = [method: string, path: string, what: string, body: unknown, code?: string]

const everyRoute: BadCall[] = withBody.flatMap((route): BadCall[] => [
  [...route, 'invalid JSON', '{"a"', 'invalid_json'],
  [...route, 'an array', [1]],
  [...route, 'a bare text', '"text"'],
  [...route, 'a bare number', '5'],
])
const fields: BadCall[] = [
  [...signUp, 'an empty body', {}],
  [...signUp, 'no password', { email, username }],
  [...signUp, 'a number as username', { email, password, username: 5 }],
  [...signUp, 'an object as address', { email: { $ne: '' }, password, username }],
  [...signUp, 'null', { email: null, password, username }],
  [...signUp, 'a short password', { email, username, password: 'seven77' }],
  [...signUp, 'an endless password', { email, username, password: 'x'.repeat(1025) }],
  [...signUp, 'a long username', { email, password, username: long }],
  [...signUp, 'a long address', { email: `${long}@example.org`, password, username }],
  [...signUp, 'a short username', { email, password, username: 'ab' }],
  [...signUp, 'a username with NUL', { email, password, username: 'some\u0000one' }],
  [...signUp, 'a username with a line break', { email, password, username: 'some\none' }],
  [...signUp, 'a username with an @', { email, password, username: 'some@one' }],
  [...signUp, 'an address with NUL', { email: 'some\u0000one@example.org', password, username }],
  [...signUp, 'two addresses', { email: `${email}\r\nb@example.org`, password, username }],
  [...signIn, 'an empty body', {}],
  [...signIn, 'no name', { password }],
  [...signIn, 'no password', { email }],
  [...signIn, 'a list as name', { email: [email], password }],
  [...signIn, 'a long name', { email: long, password }],
  [...signIn, 'a boolean as password', { email, password: true }],
  [...changePassword, 'an empty body', {}],
  [...changePassword, 'a short password', { oldPassword: password, password: 'x' }],
  [...changePassword, 'a number as password', { oldPassword: password, password: 12345678 }],
  [...updateUser, 'a long username', { username: long }],
  [...updateUser, 'a username with NUL', { username: 'some\u0000one' }],
  [...updateUser, 'an address with NUL', { email: 'a\u0000@example.org' }],
  [...updateUser, 'a number', { username: 5 }],
  [...updateUser, 'a number as address', { email: 7 }],
]

const snapshot = () =>
  Promise.all(
    [
      ...['users', 'credentials', 'sessions', 'refresh_tokens'],
      ...['totp_secrets', 'recovery_codes', 'one_time_tokens', 'outbox'],
    ].map((table) => server.database.knex(table).orderBy(1)),
  )

test.each<BadCall>([...everyRoute, ...fields])(
  '%s %s refuses %s and changes nothing',
  async (...[method, path, , body, code = 'validation_failed']) => {
    const before = await snapshot()
    const response = await user.browser.send(method, path, body)
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ statusCode: 400, code })
    await expect(snapshot()).resolves.toEqual(before)
  },
)

test('refuses a body beyond the limit', async () => {
  const response = await user.browser.send('POST', '/api/auth/signIn', {
    email: 'x'.repeat(200_000),
  })
  expect(response).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
})

test('accepts a password of any characters, NUL among them', async () => {
  const odd = 'p\u0000ss \ud83d\udd11 wörd'
  const changed = await user.browser.send('PATCH', '/api/auth/password', {
    oldPassword: user.password,
    password: odd,
  })
  expect(changed.status).toBe(200)
  const signedIn = await user.browser.send('POST', '/api/auth/signIn', {
    email: user.email,
    password: odd,
  })
  expect(signedIn.status).toBe(200)
})
