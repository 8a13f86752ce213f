import { createPasswords } from '@floe/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { isSignedIn, openBrowser, register, signIn } from '../testing/browser.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const password = 'a new password'

test('a change ends every session at once, and starts a new one here', async () => {
  const user = await register(server)
  const other = await signIn(server, user)
  const thief = user.browser.copy()
  const { status, body } = await user.browser.send('PATCH', '/api/auth/password', {
    oldPassword: user.password,
    password,
  })
  expect(status).toBe(200)
  expect(body).toEqual({ refreshToken: user.browser.cookies.get('refresh_token') })

  for (const held of [other, thief]) {
    await expect(isSignedIn(held)).resolves.toBe(false)
    expect((await held.send('POST', '/api/auth/token')).status).toBe(401)
  }
  await expect(isSignedIn(user.browser)).resolves.toBe(true)
  expect((await user.browser.send('POST', '/api/auth/token')).status).toBe(200)
})

test('afterwards only the new password signs in', async () => {
  const { browser, email, password: oldPassword } = await register(server)
  await browser.send('PATCH', '/api/auth/password', { oldPassword, password })
  const attempt = async (attempted: string) => {
    const body = { email, password: attempted }
    return (await openBrowser(server).send('POST', '/api/auth/signIn', body)).status
  }
  await expect(attempt(oldPassword)).resolves.toBe(401)
  await expect(attempt(password)).resolves.toBe(200)
})

test.each([
  ['a wrong old password', { oldPassword: 'wrong', password }],
  ['no old password', { password }],
  ['an empty old password', { oldPassword: '', password }],
])('refuses %s and changes nothing', async (_, body) => {
  const user = await register(server)
  const other = await signIn(server, user)
  const response = await user.browser.send('PATCH', '/api/auth/password', body)
  expect(response).toMatchObject({
    status: 403,
    body: { code: 'wrong_password', message: 'Invalid password' },
  })
  await expect(isSignedIn(other)).resolves.toBe(true)
  await signIn(server, user)
})

test.each(['password', 'PassWord123', 'qwertyuiop'])(
  'refuses %s for being common, and changes nothing',
  async (common) => {
    const user = await register(server)
    const body = { oldPassword: user.password, password: common }
    const response = await user.browser.send('PATCH', '/api/auth/password', body)
    expect(response).toMatchObject({ status: 400, body: { code: 'password_too_common' } })
    await expect(isSignedIn(user.browser)).resolves.toBe(true)
    await signIn(server, user)
  },
)

test('signs in with a common password from earlier', async () => {
  const user = await register(server)
  const passwordHash = await createPasswords().hash('password123')
  const { knex } = server.database
  await knex('credentials').where({ user_id: user.id }).update({ password_hash: passwordHash })
  await signIn(server, { ...user, password: 'password123' })
})

test('a session from earlier sets no first password, as somebody may have borrowed it', async () => {
  const user = await register(server)
  await server.database.knex('credentials').where({ user_id: user.id }).delete()
  server.passSeconds(5 * 60 + 1)
  const response = await user.browser.send('PATCH', '/api/auth/password', { password })
  expect(response).toMatchObject({ status: 403, body: { code: 'recent_sign_in_required' } })
  expect((await user.browser.send('GET', '/api/users/me')).body['hasPassword']).toBe(false)
})

test('an account without a password sets its first one without an old one', async () => {
  const user = await register(server)
  await server.database.knex('credentials').where({ user_id: user.id }).delete()
  expect((await user.browser.send('GET', '/api/users/me')).body['hasPassword']).toBe(false)
  expect((await user.browser.send('PATCH', '/api/auth/password', { password })).status).toBe(200)
  await signIn(server, { ...user, password })
})

test('of two changes with one old password at once, one wins', async () => {
  const { browser, password: oldPassword } = await register(server)
  const change = (next: string) =>
    browser.copy().send('PATCH', '/api/auth/password', { oldPassword, password: next })
  const responses = await Promise.all([change('first password'), change('second password')])
  expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 403])
})

test('a sign-in that verified the old password does not outlive the change', async () => {
  const user = await register(server)
  const { email, password: oldPassword } = user
  const signIns = Array.from({ length: 6 }, () => {
    const browser = openBrowser(server)
    const body = { email, password: oldPassword }
    return browser.send('POST', '/api/auth/signIn', body).then(() => browser)
  })
  const changed = await user.browser.send('PATCH', '/api/auth/password', { oldPassword, password })
  expect(changed.status).toBe(200)
  for (const browser of await Promise.all(signIns)) {
    await expect(isSignedIn(browser)).resolves.toBe(false)
  }
})
