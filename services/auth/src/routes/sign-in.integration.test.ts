import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { isSignedIn, openBrowser, register } from '../testing/browser.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const signIn = (body: unknown, browser = openBrowser(server)) =>
  browser.send('POST', '/api/auth/signIn', body)

test.each([
  ['the address', ({ email }: Names) => ({ email })],
  ['the address in capitals', ({ email }: Names) => ({ email: email.toUpperCase() })],
  ['the username', ({ username }: Names) => ({ username })],
  ['the username in capitals', ({ username }: Names) => ({ username: username.toUpperCase() })],
  ['the username in the field of the address', ({ username }: Names) => ({ email: username })],
  ['the address in the field of the username', ({ email }: Names) => ({ username: email })],
])('signs in by %s', async (_, identify) => {
  const user = await register(server)
  const browser = openBrowser(server)
  const { status, body } = await signIn({ ...identify(user), password: user.password }, browser)
  expect(status).toBe(200)
  expect(body).toEqual({
    accessToken: browser.cookies.get('access_token'),
    refreshToken: browser.cookies.get('refresh_token'),
  })
  await expect(isSignedIn(browser)).resolves.toBe(true)
})

interface Names {
  username: string
  email: string
}

test('says the same for a wrong password, an unknown user and hostile text', async () => {
  const user = await register(server)
  const password = 'not the password'
  const responses = await Promise.all([
    signIn({ email: user.email, password }),
    signIn({ email: 'nobody@example.org', password }),
    signIn({ username: 'nobody', password }),
    signIn({ username: 'no\u0000body', password }),
    signIn({ username: `${user.username}%`, password: user.password }),
    signIn({ email: `${user.email}\u0000`, password: user.password }),
    signIn({ username: '\ud800', password: user.password }),
  ])
  for (const { status, body, setCookies } of responses) {
    expect(status).toBe(401)
    expect(body).toEqual({
      statusCode: 401,
      message: 'Wrong email or password',
      error: 'Unauthorized',
      code: 'wrong_credentials',
    })
    expect(setCookies).toEqual([])
  }
})

test('refuses an account without a password', async () => {
  const user = await register(server)
  await server.database.knex('credentials').where({ user_id: user.id }).delete()
  const response = await signIn({ email: user.email, password: user.password })
  expect(response).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
})

test('accepts a hash of other parameters and replaces it, for sign-ins at once too', async () => {
  const user = await register(server)
  const credentials = () => server.database.knex('credentials').where({ user_id: user.id })
  const old = { algorithm: 2, memoryCost: 65_536, timeCost: 3, parallelism: 4 } as const
  await credentials().update({ password_hash: await hash(user.password, old) })

  const body = { username: user.username, password: user.password }
  const responses = await Promise.all([signIn(body), signIn(body), signIn(body)])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  await expect(credentials()).resolves.toEqual([
    expect.objectContaining({ password_hash: expect.stringMatching(/\$m=19456,t=2,p=1\$/) }),
  ])
  expect((await signIn(body)).status).toBe(200)
})

test('remembers where a session began, cut to a sane length', async () => {
  const user = await register(server)
  await openBrowser(server).send(
    'POST',
    '/api/auth/signIn',
    { email: user.email, password: user.password },
    { 'user-agent': `Browser ${'x'.repeat(2000)}` },
  )
  const sessions = await server.database
    .knex('sessions')
    .where({ user_id: user.id })
    .orderBy('created_at', 'desc')
  expect(sessions[0].user_agent).toHaveLength(512)
  expect(sessions[0].client_address).toBe('127.0.0.1')
  expect(sessions[0].expires_at - sessions[0].created_at).toBe(90 * 24 * 3600 * 1000)
})
