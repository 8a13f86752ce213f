import { randomUUID } from 'node:crypto'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { setUpTotp } from '../testing/authenticator.ts'
import {
  type Browser,
  isSignedIn,
  makeRegistration,
  openBrowser,
  register,
  signIn,
} from '../testing/browser.ts'

let smtp: SmtpCatcher | null = null
let server: AuthServer
let admin: Awaited<ReturnType<typeof register>>
beforeEach(async () => {
  server = await startAuthServer()
  admin = await register(server)
})
afterEach(() => server.close())
afterAll(() => smtp?.stop())

async function sendMailsTo() {
  smtp ??= await startSmtpCatcher()
  server.useSmtp(smtp)
  return smtp
}

const create = (body: unknown, browser = admin.browser) => browser.send('POST', '/api/users', body)
const update = (id: string, body: unknown, browser = admin.browser) =>
  browser.send('PATCH', `/api/users/${id}`, body)
const remove = (id: string, browser = admin.browser) => browser.send('DELETE', `/api/users/${id}`)
const events = (name: string) => server.database.knex('outbox').where({ name })
const signInStatus = async ({ email, password }: { email: string; password: string }) =>
  (await openBrowser(server).send('POST', '/api/auth/signIn', { email, password })).status

async function makeAdmin(): Promise<Awaited<ReturnType<typeof register>>> {
  const user = await register(server)
  expect((await update(user.id, { isAdmin: true })).status).toBe(200)
  return user
}

test('lists every account, the oldest first, in the published shape', async () => {
  const user = await register(server)
  await setUpTotp(server, user)
  const { status, text } = await admin.browser.send('GET', '/api/users')
  expect(status).toBe(200)
  const [first, second] = [admin, user].map(({ id, username, email }) => ({ id, username, email }))
  expect(JSON.parse(text)).toEqual([
    { ...first, isAdmin: true, totpVerified: false, storageLimit: null, shareSizeLimit: null },
    { ...second, isAdmin: false, totpVerified: true, storageLimit: null, shareSizeLimit: null },
  ])
})

test('gives nobody a common password', async () => {
  const password = 'Password123'
  const refusal = { status: 400, body: { code: 'password_too_common' } }
  expect(await create({ ...makeRegistration(), password })).toMatchObject(refusal)
  await expect(server.database.knex('users')).resolves.toHaveLength(1)
  const user = await register(server)
  expect(await update(user.id, { password })).toMatchObject(refusal)
  await expect(isSignedIn(user.browser)).resolves.toBe(true)
  await signIn(server, user)
})

test('finds accounts by part of name or address, a page at a time', async () => {
  const [first, second] = [await register(server), await register(server)]
  const find = async (query: string) => {
    const { status, text, headers } = await admin.browser.send('GET', `/api/users?${query}`)
    expect(status).toBe(200)
    const names = (JSON.parse(text) as { username: string }[]).map(({ username }) => username)
    return { names, total: headers.get('x-total-count') }
  }
  expect(await find(`search=${second.username}`)).toEqual({ names: [second.username], total: '1' })
  expect(await find(`search=${encodeURIComponent(first.email)}`)).toMatchObject({ total: '1' })
  const page = await find('limit=1&offset=1&sort=createdAt')
  expect(page).toEqual({ names: [first.username], total: '3' })
  for (const wrong of ['limit=0', 'limit=1000', 'offset=-1', 'sort=password', 'order=up']) {
    expect((await admin.browser.send('GET', `/api/users?${wrong}`)).status).toBe(400)
  }
})

test('creates an account with a password, which signs in', async () => {
  const registration = makeRegistration()
  const { status, body, setCookies } = await create({ ...registration, isAdmin: true })
  const { username, email } = registration
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(String),
    username,
    email,
    isAdmin: true,
    totpVerified: false,
    storageLimit: null,
    shareSizeLimit: null,
  })
  expect(setCookies).toEqual([])
  const browser = await signIn(server, registration)
  expect((await browser.send('GET', '/api/users')).status).toBe(200)
  await expect(events('user.invited')).resolves.toEqual([])
})

test('creates an account with a storage limit of its own', async () => {
  const limited = await create({ ...makeRegistration(), storageLimit: 5_000_000 })
  expect(limited).toMatchObject({ status: 201, body: { storageLimit: 5_000_000 } })
  const { id } = limited.body as { id: string }
  await expect(server.port.storageLimit({ userId: id })).resolves.toEqual({
    maxBytes: 5_000_000,
    maxShareBytes: null,
  })
  for (const storageLimit of [-1, 1.5, '5']) {
    const response = await create({ ...makeRegistration(), storageLimit })
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  }
})

test('open registration does not matter', async () => {
  server.settings['share.allowRegistration'] = false
  expect(await create(makeRegistration())).toMatchObject({ status: 201, body: { isAdmin: false } })
})

test('refuses names and addresses that are taken, whatever their case', async () => {
  const other = makeRegistration()
  expect(await create({ ...other, username: admin.username.toUpperCase() })).toMatchObject({
    status: 400,
    body: { code: 'username_taken' },
  })
  expect(await create({ ...other, email: admin.email.toUpperCase() })).toMatchObject({
    status: 400,
    body: { code: 'email_taken' },
  })
})

test('without a password and without e-mail nobody could sign in: refused', async () => {
  const { username, email } = makeRegistration()
  const response = await create({ username, email })
  expect(response).toMatchObject({ status: 400, body: { code: 'smtp_disabled' } })
  await expect(server.database.knex('users')).resolves.toHaveLength(1)
})

test('without a password the user is sent a link to set one, good for a week and once', async () => {
  const { messages } = await sendMailsTo()
  const before = messages.length
  const { username, email, password } = makeRegistration()
  const { status, body } = await create({ username, email })
  expect(status).toBe(201)
  expect(body).not.toHaveProperty('hasPassword')
  expect(messages).toHaveLength(before)

  await server.runReactions()
  expect(messages).toHaveLength(before + 1)
  const message = messages.at(-1)
  expect(message?.to).toEqual([email])
  const token = /\/auth\/resetPassword\/([\w-]{43})\s/.exec(message?.text ?? '')?.[1]
  // The clock goes on, too, while the machine is busy.
  server.passSeconds(7 * 24 * 3600 - 60)
  const browser = openBrowser(server)
  const reset = () => browser.send('POST', '/api/auth/resetPassword', { token, password })
  const response = await reset()
  expect(response.status).toBe(200)
  expect(response.setCookies.map((line) => line.split('=')[0])).toEqual([
    'access_token',
    'refresh_token',
    'device',
  ])
  expect((await browser.send('GET', '/api/users/me')).body).toMatchObject({ username })
  expect((await browser.send('GET', '/api/auth/sessions')).status).toBe(200)
  await expect(signInStatus({ email, password })).resolves.toBe(200)
  expect((await reset()).status).toBe(400)
})

test('an invitation is in the language of the administrator who invites', async () => {
  const { messages } = await sendMailsTo()
  const { username, email } = makeRegistration()
  const headers = { 'accept-language': 'de' }
  await admin.browser.send('POST', '/api/users', { username, email }, headers)
  await server.runReactions()
  expect(messages.at(-1)).toMatchObject({ to: [email], subject: 'Sie wurden eingeladen' })
})

test('an invitation that is run again after a password was set sends nothing', async () => {
  const { messages } = await sendMailsTo()
  const { username, email, password } = makeRegistration()
  const id = String((await create({ username, email })).body['id'])
  await update(id, { password })
  const isInvitation = ({ subject }: { subject: string }) => subject === 'You have been invited'
  const before = messages.filter(isInvitation).length
  await server.runReactions()
  await remove(id)
  await server.runReactions()
  expect(messages.filter(isInvitation)).toHaveLength(before)
})

test('a template with {password} mails a made-up one that signs in', async () => {
  const { messages } = await sendMailsTo()
  server.settings['email.inviteMessage'] = 'Sign in at {url} as {email} with: {password}'
  const { username, email } = makeRegistration()
  await create({ username, email })
  await server.runReactions()
  const text = messages.at(-1)?.text ?? ''
  expect(text).toContain(`Sign in at http://localhost:3000/auth/signIn as ${email} with: `)
  const password = /with: (\S+)/.exec(text)?.[1] ?? ''
  expect(password).toMatch(/^[\w-]{16}$/)
  await expect(signInStatus({ email, password })).resolves.toBe(200)
})

test('an invitation that could not be sent leaves no link behind, and goes out later', async () => {
  const mails = await sendMailsTo()
  const { username, email } = makeRegistration()
  await create({ username, email })
  await mails.stop()
  await expect(server.runReactions()).rejects.toThrow()
  await expect(server.database.knex('one_time_tokens')).resolves.toEqual([])
  await mails.start()
  await server.runReactions()
  expect(mails.messages.at(-1)?.to).toEqual([email])
})

test('an invitation with e-mail switched off meanwhile ends silently', async () => {
  await sendMailsTo()
  const { username, email } = makeRegistration()
  await create({ username, email })
  server.settings['smtp.enabled'] = false
  await expect(server.runReactions()).resolves.toBeUndefined()
})

test('changes what was sent, and only that', async () => {
  const user = await register(server)
  const next = makeRegistration()
  const renamed = await update(user.id, { username: next.username })
  expect(renamed.status).toBe(200)
  expect(renamed.body).toEqual({
    id: user.id,
    username: next.username,
    email: user.email,
    isAdmin: false,
    totpVerified: false,
    storageLimit: null,
    shareSizeLimit: null,
  })
  expect(await update(user.id, { email: next.email, isAdmin: true })).toMatchObject({
    status: 200,
    body: { username: next.username, email: next.email, isAdmin: true },
  })
  await expect(isSignedIn(user.browser)).resolves.toBe(true)
  expect(await update(user.id, {})).toMatchObject({ status: 200, body: { email: next.email } })
  expect(await update(user.id, { email: admin.email })).toMatchObject({
    status: 400,
    body: { code: 'email_taken' },
  })
})

test('exceptions from the rules of sharing replace those before, and go with their account', async () => {
  const user = await register(server)
  const own = async () => JSON.parse((await user.browser.send('GET', '/api/users/me')).text)
  const first = { maxExpiration: 24, passwordRequired: true }
  expect(await update(user.id, { sharingExceptions: first })).toMatchObject({
    status: 200,
    body: { sharingExceptions: first },
  })
  expect(await own()).toMatchObject({ sharingExceptions: first })
  const accessToken = user.browser.cookies.get('access_token') ?? null
  const identified = () => server.port.identify({ accessToken })
  expect(await identified()).toMatchObject({ sharingExceptions: first })
  await update(user.id, { sharingExceptions: { allowNeverExpires: false } })
  expect((await identified())?.sharingExceptions).toEqual({ allowNeverExpires: false })
  await update(user.id, { username: makeRegistration().username })
  expect((await identified())?.sharingExceptions).toEqual({ allowNeverExpires: false })
  expect((await update(user.id, { sharingExceptions: {} })).body).not.toHaveProperty(
    'sharingExceptions',
  )
  for (const wrong of [{ maxExpiration: -1 }, { passwordRequired: 'yes' }, [], 'all', null]) {
    expect(await update(user.id, { sharingExceptions: wrong })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  }
})

test('a new password ends every session of the user and the old password', async () => {
  const user = await register(server)
  const password = 'set by the admin'
  expect((await update(user.id, { password })).status).toBe(200)
  await expect(isSignedIn(user.browser)).resolves.toBe(false)
  expect((await user.browser.send('POST', '/api/auth/token')).status).toBe(401)
  await expect(signInStatus(user)).resolves.toBe(401)
  await expect(signInStatus({ ...user, password })).resolves.toBe(200)
  await expect(isSignedIn(admin.browser)).resolves.toBe(true)
})

test('a refused change keeps password and sessions as they were', async () => {
  const user = await register(server)
  const changes = { password: 'set by the admin', username: admin.username }
  expect((await update(user.id, changes)).status).toBe(400)
  await expect(isSignedIn(user.browser)).resolves.toBe(true)
  await expect(signInStatus(user)).resolves.toBe(200)
})

test('demotion ends the sessions of who was demoted, promotion does not', async () => {
  const second = await makeAdmin()
  await expect(isSignedIn(second.browser)).resolves.toBe(true)
  expect((await second.browser.send('GET', '/api/users')).status).toBe(200)
  expect(await update(second.id, { isAdmin: false })).toMatchObject({ body: { isAdmin: false } })
  expect((await second.browser.send('GET', '/api/users')).status).toBe(403)
  await expect(isSignedIn(second.browser)).resolves.toBe(false)
})

test('the last administrator is neither demoted nor deleted, alone or not', async () => {
  const demote = () => update(admin.id, { isAdmin: false })
  for (const attempt of [demote, () => remove(admin.id)]) {
    expect(await attempt()).toMatchObject({ status: 400, body: { code: 'last_admin' } })
    await register(server)
    expect(await attempt()).toMatchObject({ status: 400, body: { code: 'last_admin' } })
  }
  await expect(isSignedIn(admin.browser)).resolves.toBe(true)
  expect((await admin.browser.send('GET', '/api/users')).status).toBe(200)
})

test.each([
  ['demote each other', (own: Browser, other: string) => update(other, { isAdmin: false }, own)],
  ['delete each other', (own: Browser, other: string) => remove(other, own)],
])('of two last administrators who %s at once, one stays', async (_, change) => {
  const second = await makeAdmin()
  const responses = await Promise.all([
    change(admin.browser, second.id),
    change(second.browser, admin.id),
  ])
  const statuses = responses.map(({ status }) => status).sort((a, b) => a - b)
  expect(statuses[0]).toBe(200)
  // Too late: either not an administrator any more, or the last one.
  expect([400, 403]).toContain(statuses[1])
  await expect(server.database.knex('users').where({ is_admin: true })).resolves.toHaveLength(1)
})

test('deletion returns the user, records the event once and ends the sessions', async () => {
  const user = await register(server)
  const { status, body } = await remove(user.id)
  expect(status).toBe(200)
  expect(body).toEqual({
    id: user.id,
    username: user.username,
    email: user.email,
    isAdmin: false,
    totpVerified: false,
    storageLimit: null,
    shareSizeLimit: null,
  })
  await expect(isSignedIn(user.browser)).resolves.toBe(false)
  await expect(signInStatus(user)).resolves.toBe(401)
  expect((await remove(user.id)).status).toBe(400)
  await expect(events('user.deleted')).resolves.toMatchObject([{ payload: { userId: user.id } }])
})

test('an administrator who deletes the own account is signed out', async () => {
  const second = await makeAdmin()
  const response = await remove(second.id, second.browser)
  expect(response.status).toBe(200)
  expect([...second.browser.cookies.keys()]).toEqual(['device'])
})

test('says so when nobody has the id', async () => {
  const absent = { status: 400, body: { code: 'user_not_found' } }
  expect(await update(randomUUID(), { password: 'long enough' })).toMatchObject(absent)
  expect(await remove(randomUUID())).toMatchObject(absent)
})

const calls = [
  ['GET', '/api/users', undefined],
  ['POST', '/api/users', { username: 'some', email: 'some@example.org', password: 'long enough' }],
  ['PATCH', `/api/users/${randomUUID()}`, { isAdmin: true }],
  ['DELETE', `/api/users/${randomUUID()}`, undefined],
] as const

test.each(calls)('%s %s is for administrators only', async (method, path, body) => {
  const user = await register(server)
  for (const browser of [user.browser, openBrowser(server)]) {
    const response = await browser.send(method, path, body)
    expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  }
  await expect(server.database.knex('users')).resolves.toHaveLength(2)
})

test('nobody promotes the own account', async () => {
  const user = await register(server)
  expect((await update(user.id, { isAdmin: true }, user.browser)).status).toBe(403)
})

test('refuses what is no user, and changes nothing', async () => {
  const good = makeRegistration()
  const bad: [string, string, unknown][] = [
    ['POST', '/api/users', {}],
    ['POST', '/api/users', { ...good, username: 'a b' }],
    ['POST', '/api/users', { ...good, email: 'no address' }],
    ['POST', '/api/users', { ...good, password: 'short' }],
    ['POST', '/api/users', { ...good, isAdmin: 'yes' }],
    ['PATCH', `/api/users/${admin.id}`, { isAdmin: 1 }],
    ['PATCH', `/api/users/${admin.id}`, { password: '' }],
    ['PATCH', `/api/users/${admin.id}`, { email: 7 }],
    ['PATCH', '/api/users/1', { isAdmin: true }],
    ['DELETE', '/api/users/1', undefined],
  ]
  for (const [method, path, body] of bad) {
    const response = await admin.browser.send(method, path, body)
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  }
  await expect(server.database.knex('users')).resolves.toHaveLength(1)
})
