import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { setUpTotp } from '../testing/authenticator.ts'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { type Browser, openBrowser, register, signIn } from '../testing/browser.ts'
import { createPasskeyDevice } from '../testing/passkey-device.ts'

let server: AuthServer
let admin: Awaited<ReturnType<typeof register>>
beforeAll(async () => {
  server = await startAuthServer()
  server.settings['general.appUrl'] = 'https://floe.example'
  admin = await register(server)
})
afterEach(() => {
  server.settings['general.secondFactor'] = 'optional'
})
afterAll(() => server.close())

const required = { status: 403, body: { code: 'second_factor_required' } }
const tokenOf = (browser: Browser) => browser.cookies.get('access_token') ?? null
const identify = (browser: Browser) => server.port.identify({ accessToken: tokenOf(browser) })
const me = async (browser: Browser) => (await browser.send('GET', '/api/users/me')).body

/** What somebody may still ask for who has no second factor yet. */
const toSetOneUp = [
  'GET /api/users/me',
  'POST /api/auth/totp/enable',
  'POST /api/auth/totp/verify',
  'GET /api/auth/passkeys',
  'POST /api/auth/passkeys/options',
  'POST /api/auth/passkeys',
  'PATCH /api/auth/password',
]

test('somebody without a second factor may do nothing but set one up, with any session', async () => {
  const user = await register(server)
  server.settings['general.secondFactor'] = 'everybody'
  for (const browser of [user.browser, await signIn(server, user)]) {
    expect(await identify(browser)).toBeNull()
    expect(
      await server.port.identify({ accessToken: tokenOf(browser), beforeSecondFactor: true }),
    ).toMatchObject({ userId: user.id, mustSetUpSecondFactor: true })
    expect(await me(browser)).toMatchObject({ mustSetUpSecondFactor: true })
    for (const [method, path] of [
      ['GET', '/api/auth/sessions'],
      ['DELETE', '/api/auth/sessions'],
      ['POST', '/api/tokens'],
      ['GET', '/api/tokens'],
      ['PATCH', '/api/users/me'],
      ['DELETE', '/api/users/me'],
      ['POST', '/api/auth/totp/disable'],
      ['GET', '/api/oauth/status'],
      ['GET', '/api/users'],
    ] as const) {
      expect(await browser.send(method, path)).toMatchObject(required)
    }
  }
  expect((await user.browser.send('POST', '/api/auth/token')).status).toBe(200)
  expect((await user.browser.send('POST', '/api/auth/signOut')).status).toBe(201)
})

test('what sets one up is open, each by its own rules', async () => {
  const { browser } = await register(server)
  server.settings['general.secondFactor'] = 'everybody'
  for (const route of toSetOneUp) {
    const [method = '', path = ''] = route.split(' ')
    const { body } = await browser.send(method, path, method === 'GET' ? undefined : {})
    expect((body as { code?: string }).code).not.toBe('second_factor_required')
  }
})

test('an authenticator app opens everything, in the very session', async () => {
  const user = await register(server)
  server.settings['general.secondFactor'] = 'everybody'
  await setUpTotp(server, user)
  expect(await identify(user.browser)).toMatchObject({ userId: user.id })
  expect(await me(user.browser)).not.toHaveProperty('mustSetUpSecondFactor')
})

test('a passkey does as well', async () => {
  const user = await register(server)
  server.settings['general.secondFactor'] = 'everybody'
  const { password } = user
  const begun = await user.browser.send('POST', '/api/auth/passkeys/options', { password })
  const device = createPasskeyDevice({ origin: 'https://floe.example' })
  const passkey = device.create(JSON.parse(begun.text))
  const named = { name: 'Phone', passkey }
  const added = await user.browser.send('POST', '/api/auth/passkeys', named)
  expect(added.status).toBe(201)
  expect(await identify(user.browser)).toMatchObject({ userId: user.id })
})

test('an access token goes on only where its owner has one', async () => {
  const user = await register(server)
  const input = { name: 'Backup', scopes: ['account:read'] }
  const made = await user.browser.send('POST', '/api/tokens', input)
  const { token } = JSON.parse(made.text) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const read = () => openBrowser(server).send('GET', '/api/users/me', undefined, headers)
  expect((await read()).status).toBe(200)
  server.settings['general.secondFactor'] = 'everybody'
  expect((await read()).status).toBe(403)
  await setUpTotp(server, user)
  expect((await read()).status).toBe(200)
})

test('may be asked of administrators alone', async () => {
  const user = await register(server)
  server.settings['general.secondFactor'] = 'administrators'
  expect(await identify(user.browser)).not.toBeNull()
  expect(await identify(admin.browser)).toBeNull()
  expect(await admin.browser.send('GET', '/api/users')).toMatchObject(required)
})
