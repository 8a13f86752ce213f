import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { type Browser, isSignedIn, openBrowser, register, signIn } from '../testing/browser.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

interface Listed {
  id: string
  isCurrent: boolean
  lastUsedAt: string
}

async function list(browser: Browser): Promise<Listed[]> {
  const { status, text } = await browser.send('GET', '/api/auth/sessions')
  expect(status).toBe(200)
  return JSON.parse(text)
}

const end = (browser: Browser, id: string) => browser.send('DELETE', `/api/auth/sessions/${id}`)
const currentId = async (browser: Browser) =>
  (await list(browser)).find(({ isCurrent }) => isCurrent)?.id ?? ''

test('lists the devices that are signed in, the latest used first', async () => {
  const user = await register(server)
  server.passSeconds(10)
  const second = await signIn(server, user)
  server.passSeconds(10)
  const third = await signIn(server, user)
  const ids = [await currentId(third), await currentId(second), await currentId(user.browser)]
  await expect(list(second)).resolves.toMatchObject([
    { id: ids[0], isCurrent: false },
    { id: ids[1], isCurrent: true },
    { id: ids[2], isCurrent: false },
  ])

  server.passSeconds(10)
  await user.browser.send('POST', '/api/auth/token')
  const [latest] = await list(second)
  expect(latest?.id).toBe(ids[2])
})

test('says where each began, and nothing that opens it', async () => {
  const { browser } = await register(server)
  const [session] = await list(browser)
  expect(session).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    userAgent: 'node',
    clientAddress: '127.0.0.1',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    lastUsedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    isCurrent: true,
  })
})

test('tells an IPv4 address as such that was recorded within IPv6', async () => {
  const { browser } = await register(server)
  const [session] = await list(browser)
  const mapped = { client_address: '::ffff:192.0.2.7' }
  await server.database.knex('sessions').where({ id: session?.id }).update(mapped)
  expect(await list(browser)).toMatchObject([{ clientAddress: '192.0.2.7' }])
})

test('leaves out what was signed out, what expired, and what is of others', async () => {
  const user = await register(server)
  await register(server)
  const signedOut = await signIn(server, user)
  await signedOut.send('POST', '/api/auth/signOut')
  await expect(list(user.browser)).resolves.toHaveLength(1)

  server.passSeconds(90 * 24 * 3600)
  const later = await signIn(server, user)
  await expect(list(later)).resolves.toMatchObject([{ isCurrent: true }])
})

test('ending one signs that device out at once, and no other', async () => {
  const user = await register(server)
  const other = await signIn(server, user)
  const response = await end(user.browser, await currentId(other))
  expect(response).toMatchObject({ status: 204, text: '', setCookies: [] })
  await expect(isSignedIn(other)).resolves.toBe(false)
  expect((await other.send('POST', '/api/auth/token')).status).toBe(401)
  await expect(isSignedIn(user.browser)).resolves.toBe(true)
})

test('ending the own one clears its cookies', async () => {
  const { browser } = await register(server)
  const response = await end(browser, await currentId(browser))
  expect(response.status).toBe(204)
  expect(response.setCookies).toHaveLength(2)
  expect([...browser.cookies.keys()]).toEqual(['device'])
})

test("ends nobody else's, nothing unknown, and nothing twice", async () => {
  const user = await register(server)
  const outsider = await register(server)
  const other = await signIn(server, user)
  const id = await currentId(other)
  for (const [browser, wrong] of [
    [outsider.browser, id],
    [user.browser, randomUUID()],
  ] as const) {
    expect(await end(browser, wrong)).toMatchObject({
      status: 404,
      body: { code: 'session_not_found' },
    })
  }
  await expect(isSignedIn(other)).resolves.toBe(true)
  expect((await end(user.browser, id)).status).toBe(204)
  expect((await end(user.browser, id)).status).toBe(404)
  expect(await end(user.browser, 'no-id')).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  })
})

test('ending all signs every device out, and nobody else', async () => {
  const user = await register(server)
  const outsider = await register(server)
  const other = await signIn(server, user)
  const holder = user.browser.copy()
  const response = await user.browser.send('DELETE', '/api/auth/sessions')
  expect(response).toMatchObject({ status: 204, text: '' })
  expect([...user.browser.cookies.keys()]).toEqual(['device'])
  for (const browser of [holder, other]) {
    await expect(isSignedIn(browser)).resolves.toBe(false)
    expect((await browser.send('POST', '/api/auth/token')).status).toBe(401)
  }
  await expect(isSignedIn(outsider.browser)).resolves.toBe(true)
})

test.each([
  ['GET', '/api/auth/sessions'],
  ['DELETE', '/api/auth/sessions'],
  ['DELETE', `/api/auth/sessions/${randomUUID()}`],
])('%s %s needs a session', async (method, path) => {
  const response = await openBrowser(server).send(method, path)
  expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})
