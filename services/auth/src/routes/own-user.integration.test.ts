import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { isSignedIn, makeRegistration, openBrowser, register } from '../testing/browser.ts'

let server: AuthServer
let admin: Awaited<ReturnType<typeof register>>
beforeAll(async () => {
  server = await startAuthServer()
  admin = await register(server)
})
afterAll(() => server.close())

test('returns the signed-in user', async () => {
  const { browser, id, username, email } = await register(server)
  const { status, body } = await browser.send('GET', '/api/users/me')
  expect(status).toBe(200)
  expect(body).toEqual({
    id,
    username,
    email,
    isAdmin: false,
    totpVerified: false,
    hasPassword: true,
    showName: true,
    shareSizeLimit: null,
  })
})

test('a visitor gets an empty response where anonymous shares are allowed, else 403', async () => {
  const visitor = openBrowser(server)
  expect(await visitor.send('GET', '/api/users/me')).toMatchObject({
    status: 403,
    body: { code: 'forbidden', message: 'Forbidden resource' },
  })
  server.settings['share.allowUnauthenticatedShares'] = true
  expect(await visitor.send('GET', '/api/users/me')).toMatchObject({ status: 200, text: '' })
  for (const [method, path, body] of protectedCalls) {
    expect((await visitor.send(method, path, body)).status).toBe(403)
  }
  server.settings['share.allowUnauthenticatedShares'] = false
})

const protectedCalls = [
  ['PATCH', '/api/users/me', { username: 'someone' }],
  ['DELETE', '/api/users/me', undefined],
  ['PATCH', '/api/auth/password', { password: 'new password' }],
] as const

test.each(protectedCalls)('%s %s needs a session', async (method, path, body) => {
  const visitor = openBrowser(server)
  visitor.cookies.set('access_token', 'not.a.token')
  const response = await visitor.send(method, path, body)
  expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})

test('changes username and address, and only what was sent', async () => {
  const { browser, email, username, password } = await register(server)
  const next = makeRegistration()
  const renamed = await browser.send('PATCH', '/api/users/me', { username: next.username })
  expect(renamed).toMatchObject({ status: 200, body: { username: next.username, email } })
  const change = { email: next.email, password, isAdmin: true }
  const moved = await browser.send('PATCH', '/api/users/me', change)
  expect(moved).toMatchObject({
    status: 200,
    body: { username: next.username, email: next.email, isAdmin: false },
  })
  const back = await browser.send('PATCH', '/api/users/me', { username: username.toUpperCase() })
  expect(back).toMatchObject({ status: 200, body: { username: username.toUpperCase() } })
  expect(await browser.send('PATCH', '/api/users/me', {})).toMatchObject({ status: 200 })
})

test("refuses another user's name and address, whatever their case", async () => {
  const { browser, username, password } = await register(server)
  const other = await register(server)
  const send = (body: unknown) => browser.send('PATCH', '/api/users/me', body)
  expect(await send({ username: other.username.toUpperCase() })).toMatchObject({
    status: 400,
    body: { code: 'username_taken' },
  })
  expect(await send({ email: other.email.toUpperCase(), password })).toMatchObject({
    status: 400,
    body: { code: 'email_taken' },
  })
  expect((await browser.send('GET', '/api/users/me')).body['username']).toBe(username)
})

test('deletion returns the user, records the event and refuses the held token', async () => {
  const { browser, id, username, email, password } = await register(server)
  const holder = browser.copy()
  const { status, body, setCookies } = await browser.send('DELETE', '/api/users/me')
  expect(status).toBe(200)
  expect(body).toMatchObject({ id, username, email })
  expect(setCookies).toHaveLength(2)
  expect([...browser.cookies.keys()]).toEqual(['device'])

  await expect(isSignedIn(holder)).resolves.toBe(false)
  expect((await holder.send('POST', '/api/auth/token')).status).toBe(401)
  const again = await openBrowser(server).send('POST', '/api/auth/signIn', { email, password })
  expect(again.status).toBe(401)
  const { knex } = server.database
  await expect(knex('sessions').where({ user_id: id })).resolves.toEqual([])
  const events = await knex('outbox').whereRaw(`payload ->> 'userId' = ?`, [id]).orderBy('id')
  expect(events.map(({ name }) => name)).toEqual(['user.deleted', 'farewell.owed'])
})

test('two deletions at once delete and record once', async () => {
  const { browser, id } = await register(server)
  const responses = await Promise.all([
    browser.copy().send('DELETE', '/api/users/me'),
    browser.copy().send('DELETE', '/api/users/me'),
  ])
  expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 403])
  const events = await server.database.knex('outbox').whereRaw(`payload ->> 'userId' = ?`, [id])
  expect(events.map(({ name }) => name).sort()).toEqual(['farewell.owed', 'user.deleted'])
})

test('the last administrator stays while there are other users', async () => {
  await register(server)
  const response = await admin.browser.send('DELETE', '/api/users/me')
  expect(response).toMatchObject({ status: 400, body: { code: 'last_admin' } })
  expect(response.setCookies).toEqual([])
  await expect(isSignedIn(admin.browser)).resolves.toBe(true)
})

test('of two administrators who leave at once one stays', async () => {
  const second = await register(server)
  await server.database.knex('users').where({ id: second.id }).update({ is_admin: true })
  const responses = await Promise.all([
    admin.browser.send('DELETE', '/api/users/me'),
    second.browser.send('DELETE', '/api/users/me'),
  ])
  expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400])
  await expect(server.database.knex('users').where({ is_admin: true })).resolves.toHaveLength(1)
})

test('an administrator who is alone may leave; the next account is administrator', async () => {
  const lonely = await startAuthServer()
  const { browser } = await register(lonely)
  expect((await browser.send('DELETE', '/api/users/me')).status).toBe(200)
  const next = await register(lonely)
  expect((await next.browser.send('GET', '/api/users/me')).body['isAdmin']).toBe(true)
  await lonely.close()
})
