import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { setUpTotp } from '../testing/authenticator.ts'
import { type Browser, openBrowser, register } from '../testing/browser.ts'
import {
  createPasskeyDevice,
  type DeviceOptions,
  type PasskeyDevice,
} from '../testing/passkey-device.ts'

const ORIGIN = 'https://files.example.org'
const RP_ID = 'files.example.org'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.settings['general.appUrl'] = `${ORIGIN}/`
})

type Account = Awaited<ReturnType<typeof register>>

const begin = (browser: Browser, password: unknown) =>
  browser.send('POST', '/api/auth/passkeys/options', { password })

async function askToCreate({ browser, password }: Account) {
  const asked = await begin(browser, password)
  expect(asked.status, asked.text).toBe(200)
  return asked.body as unknown as Parameters<PasskeyDevice['create']>[0]
}

const save = (browser: Browser, passkey: object, name = 'Laptop') =>
  browser.send('POST', '/api/auth/passkeys', { name, passkey })

/** A passkey of the account, and the codes that came with it. */
async function addPasskey(account: Account, options: Partial<DeviceOptions> = {}, name?: string) {
  const device = createPasskeyDevice({ origin: ORIGIN, ...options })
  const added = await save(account.browser, device.create(await askToCreate(account)), name)
  expect(added.status, added.text).toBe(201)
  const { passkey, recoveryCodes } = added.body as {
    passkey: { id: string }
    recoveryCodes: string[] | null
  }
  return { device, id: passkey.id, recoveryCodes }
}

async function request(loginToken?: string) {
  const browser = openBrowser(server)
  const path = '/api/auth/signIn/passkey/options'
  const asked = await browser.send('POST', path, { loginToken })
  expect(asked.status, asked.text).toBe(200)
  const options = asked.body['options'] as { challenge: string; allowCredentials?: unknown[] }
  return { browser, options, hasTotp: asked.body['hasTotp'] }
}

const answer = (browser: Browser, passkey: object, loginToken?: string) =>
  browser.send('POST', '/api/auth/signIn/passkey', { passkey, loginToken })

async function signInBy(device: PasskeyDevice, loginToken?: string) {
  const { browser, options } = await request(loginToken)
  const { challenge } = options
  const response = await answer(browser, device.use({ challenge, rpId: RP_ID }), loginToken)
  return { ...response, browser }
}

async function typePassword({ email, password }: Account): Promise<string> {
  const { status, body } = await openBrowser(server).send('POST', '/api/auth/signIn', {
    email,
    password,
  })
  expect(status).toBe(200)
  return String(body['loginToken'])
}

const nameOf = async (browser: Browser) =>
  (await browser.send('GET', '/api/users/me')).body['username']

const list = async ({ browser }: Account) => (await browser.send('GET', '/api/auth/passkeys')).text

test('a passkey signs in without a name or a password, and notes when it was used', async () => {
  const account = await register(server)
  const { device } = await addPasskey(account)
  const { status, browser } = await signInBy(device)
  expect(status).toBe(200)
  expect(await nameOf(browser)).toBe(account.username)
  expect(JSON.parse(await list(account))).toMatchObject([
    { name: 'Laptop', lastUsedAt: expect.any(String), mayBeCopied: false },
  ])
})

test('the browser is asked for one of this site that signs in by itself, and none it has', async () => {
  const account = await register(server)
  await addPasskey(account)
  expect(await askToCreate(account)).toMatchObject({
    rp: { id: RP_ID },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required' },
    extensions: { prf: {} },
    excludeCredentials: [{ type: 'public-key' }],
  })
  const { options } = await request()
  expect(options).toMatchObject({ rpId: RP_ID, userVerification: 'required' })
  expect(options.allowCredentials).toBeUndefined()
})

test('from the first passkey on a password alone does not sign in', async () => {
  const account = await register(server)
  const { device } = await addPasskey(account)
  const loginToken = await typePassword(account)
  const { options, hasTotp } = await request(loginToken)
  expect([options.allowCredentials?.length, hasTotp]).toEqual([1, false])
  const { status, browser } = await signInBy(device, loginToken)
  expect(status).toBe(200)
  expect(await nameOf(browser)).toBe(account.username)
  // Once.
  expect(
    (await openBrowser(server).send('POST', '/api/auth/signIn/passkey/options', { loginToken }))
      .status,
  ).toBe(401)
})

test('as the second step a key need not verify its person, alone it must', async () => {
  const account = await register(server)
  const { device } = await addPasskey(account, { verifiesUser: false })
  expect(await signInBy(device)).toMatchObject({ status: 400, body: { code: 'passkey_refused' } })
  expect((await signInBy(device, await typePassword(account))).status).toBe(200)
})

test('recovery codes come with the first passkey alone, and are the way back once', async () => {
  const account = await register(server)
  const { recoveryCodes } = await addPasskey(account)
  expect(recoveryCodes).toHaveLength(10)
  expect((await addPasskey(account)).recoveryCodes).toBeNull()
  const [code = ''] = recoveryCodes ?? []
  const finish = async () =>
    openBrowser(server).send('POST', '/api/auth/signIn/totp', {
      totp: code,
      loginToken: await typePassword(account),
    })
  expect((await finish()).status).toBe(200)
  expect(await finish()).toMatchObject({ status: 400, body: { code: 'invalid_totp' } })
})

test('who has passkeys alone renews the codes by the password, and earlier ones end', async () => {
  const account = await register(server)
  const { recoveryCodes } = await addPasskey(account)
  const renew = (password: string) =>
    account.browser.send('POST', '/api/auth/totp/recoveryCodes', { password })
  expect(await renew('not mine')).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
  const renewed = await renew(account.password)
  expect(renewed.status).toBe(201)
  const [code = ''] = renewed.body['recoveryCodes'] as string[]
  const enterBy = async (totp = '') =>
    openBrowser(server).send('POST', '/api/auth/signIn/totp', {
      totp,
      loginToken: await typePassword(account),
    })
  expect((await enterBy(recoveryCodes?.[0])).status).toBe(400)
  expect((await enterBy(code)).status).toBe(200)
})

test('who has no password either renews the codes soon after signing in, and not later', async () => {
  const account = await register(server)
  await addPasskey(account)
  const { knex } = server.database
  await knex('credentials').where({ user_id: account.id }).delete()
  const renew = () => account.browser.send('POST', '/api/auth/totp/recoveryCodes', {})
  expect((await renew()).status).toBe(201)
  const longAgo = new Date(Date.now() - 600_000)
  await knex('sessions').where({ user_id: account.id }).update({ created_at: longAgo })
  expect(await renew()).toMatchObject({ body: { code: 'recent_sign_in_required' } })
})

test('of two passkeys the other one works on when one is lost and removed', async () => {
  const account = await register(server)
  const lost = await addPasskey(account, {}, 'Lost phone')
  const other = await addPasskey(account, {}, 'Key')
  const { browser, password } = account
  const path = `/api/auth/passkeys/${lost.id}/remove`
  expect(await browser.send('POST', path, { password: 'not mine' })).toMatchObject({
    status: 403,
    body: { code: 'wrong_password' },
  })
  expect((await browser.send('POST', path, { password })).status).toBe(204)
  expect((await signInBy(lost.device)).status).toBe(400)
  expect((await signInBy(other.device)).status).toBe(200)
  expect(await list(account)).not.toContain('Lost phone')
})

test('with the last passkey its codes go, and the password signs in by itself again', async () => {
  const account = await register(server)
  const { id } = await addPasskey(account)
  const { browser, password, email } = account
  await browser.send('POST', `/api/auth/passkeys/${id}/remove`, { password })
  const { body } = await openBrowser(server).send('POST', '/api/auth/signIn', { email, password })
  expect(body).toHaveProperty('accessToken')
  expect(await server.database.knex('recovery_codes').where({ user_id: account.id })).toEqual([])
})

test('TOTP and passkeys work beside each other, and either may go', async () => {
  const account = await register(server)
  const totp = await setUpTotp(server, account)
  const { device, id, recoveryCodes } = await addPasskey(account)
  const { options, hasTotp } = await request(await typePassword(account))
  expect([options.allowCredentials?.length, hasTotp]).toEqual([1, true])
  expect((await signInBy(device, await typePassword(account))).status).toBe(200)
  const loginToken = await typePassword(account)
  // Its code of before was used to set it up.
  server.passSeconds(30)
  const byCode = { totp: totp.code(), loginToken }
  expect((await openBrowser(server).send('POST', '/api/auth/signIn/totp', byCode)).status).toBe(200)
  // Either brought recovery codes; those stay as long as one of the two does.
  const { browser, password } = account
  await browser.send('POST', `/api/auth/passkeys/${id}/remove`, { password })
  const codes = await server.database.knex('recovery_codes').where({ user_id: account.id })
  expect(codes).toHaveLength(recoveryCodes?.length ?? codes.length)
  expect((await request(await typePassword(account))).options).toBeNull()
})

test('an answer counts once, and only within its time', async () => {
  const account = await register(server)
  const { device } = await addPasskey(account, { counts: false })
  const { browser, options } = await request()
  const used = device.use({ challenge: options.challenge, rpId: RP_ID })
  expect((await answer(browser, used)).status).toBe(200)
  expect(await answer(openBrowser(server), used)).toMatchObject({
    status: 400,
    body: { code: 'passkey_refused' },
  })
  const late = await request()
  server.passSeconds(301)
  const { challenge } = late.options
  const after = await answer(late.browser, device.use({ challenge, rpId: RP_ID }))
  expect(after.status).toBe(400)
})

test('a registration that is sent again adds nothing', async () => {
  const account = await register(server)
  const device = createPasskeyDevice({ origin: ORIGIN })
  const created = device.create(await askToCreate(account))
  expect((await save(account.browser, created)).status).toBe(201)
  expect((await save(account.browser, created)).status).toBe(400)
  expect(JSON.parse(await list(account))).toHaveLength(1)
})

test.each<[string, (device: PasskeyDevice, challenge: string) => object]>([
  ['another site', (device, challenge) => device.use({ challenge, rpId: 'evil.example' })],
  ['a challenge of its own', (device) => device.use({ challenge: 'bXkgb3du', rpId: RP_ID })],
])('an answer for %s is refused', async (_, use) => {
  const { device } = await addPasskey(await register(server))
  const { browser, options } = await request()
  expect((await answer(browser, use(device, options.challenge))).status).toBe(400)
})

test('an answer from another origin is refused, also one that asks for this site', async () => {
  const account = await register(server)
  const stranger = createPasskeyDevice({ origin: 'https://files.example.org.evil.example' })
  const created = stranger.create(await askToCreate(account))
  expect((await save(account.browser, created)).status).toBe(400)
  const { device } = await addPasskey(account, { origin: ORIGIN })
  server.settings['general.appUrl'] = 'https://other.example.org'
  expect((await signInBy(device)).status).toBe(400)
})

test('a challenge for one thing or account is no answer to another', async () => {
  const account = await register(server)
  const { device } = await addPasskey(account)
  const { options } = await request()
  const loginToken = await typePassword(account)
  const alone = device.use({ challenge: options.challenge, rpId: RP_ID })
  expect((await answer(openBrowser(server), alone, loginToken)).status).toBe(400)
  const second = await request(loginToken)
  const step = device.use({ challenge: second.options.challenge, rpId: RP_ID })
  expect((await answer(openBrowser(server), step)).status).toBe(400)
  const mine = await register(server)
  const theirs = createPasskeyDevice({ origin: ORIGIN })
  const made = theirs.create(await askToCreate(account))
  expect((await save(mine.browser, made)).status).toBe(400)
})

test("somebody else's passkey is no second step", async () => {
  const account = await register(server)
  await addPasskey(account)
  const thief = await addPasskey(await register(server))
  const loginToken = await typePassword(account)
  expect((await signInBy(thief.device, loginToken)).status).toBe(400)
})

test('a copy whose counter falls behind is refused, marked and recorded', async () => {
  const account = await register(server)
  const { device } = await addPasskey(account)
  const copy = device.clone()
  expect((await signInBy(device)).status).toBe(200)
  expect((await signInBy(device)).status).toBe(200)
  expect(await signInBy(copy)).toMatchObject({ status: 400, body: { code: 'passkey_refused' } })
  expect(JSON.parse(await list(account))).toMatchObject([{ mayBeCopied: true }])
  const recorded = await server.database.knex('outbox').where({ name: 'act.done' })
  expect(JSON.stringify(recorded)).toContain('copied_passkey')
  expect((await signInBy(device)).status).toBe(200)
})

test('of two answers with one counter at once one signs in', async () => {
  const { device } = await addPasskey(await register(server))
  const asked = await Promise.all([request(), request()])
  const copy = device.clone()
  const [one, two] = await Promise.all(
    asked.map(({ browser, options: { challenge } }, index) =>
      answer(browser, (index === 0 ? device : copy).use({ challenge, rpId: RP_ID })),
    ),
  )
  expect([one?.status, two?.status].sort()).toEqual([200, 400])
})

test('a passkey is asked for with the password, or a sign-in of the last minutes', async () => {
  const account = await register(server)
  expect(await begin(account.browser, 'not mine')).toMatchObject({ status: 403 })
  await server.database.knex('credentials').where({ user_id: account.id }).delete()
  expect((await begin(account.browser, undefined)).status).toBe(200)
  await server.database
    .knex('sessions')
    .where({ user_id: account.id })
    .update({ created_at: new Date(server.now().getTime() - 301_000) })
  expect(await begin(account.browser, undefined)).toMatchObject({
    status: 403,
    body: { code: 'recent_sign_in_required' },
  })
})

test("names are changed, of one's own alone", async () => {
  const account = await register(server)
  const { id } = await addPasskey(account)
  const path = `/api/auth/passkeys/${id}`
  const { browser } = account
  expect((await browser.send('PATCH', path, { name: 'Red key' })).body).toMatchObject({
    name: 'Red key',
  })
  const other = await register(server)
  expect((await other.browser.send('PATCH', path, { name: 'Mine' })).status).toBe(404)
  const removal = { password: other.password }
  expect((await other.browser.send('POST', `${path}/remove`, removal)).status).toBe(404)
})

test.each(['http://files.example.org', 'https://192.0.2.1', 'https://[2001:db8::1]'])(
  'at %s there are none, and that is said',
  async (appUrl) => {
    const account = await register(server)
    server.settings['general.appUrl'] = appUrl
    const refused = { status: 409, body: { code: 'passkeys_unavailable' } }
    expect(await begin(account.browser, account.password)).toMatchObject(refused)
    const path = '/api/auth/signIn/passkey/options'
    expect(await openBrowser(server).send('POST', path, {})).toMatchObject(refused)
  },
)

test('an account has twenty at most', async () => {
  const account = await register(server)
  for (let count = 0; count < 20; count += 1) await addPasskey(account)
  expect(await begin(account.browser, account.password)).toMatchObject({
    status: 409,
    body: { code: 'too_many_passkeys' },
  })
})
