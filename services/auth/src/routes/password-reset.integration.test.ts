import { jobs } from '@floe/contracts'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { setUpTotp } from '../testing/authenticator.ts'
import { isSignedIn, openBrowser, register, signIn } from '../testing/browser.ts'

let smtp: SmtpCatcher
let server: AuthServer
beforeAll(async () => {
  smtp = await startSmtpCatcher()
  server = await startAuthServer()
})
afterAll(async () => {
  await server.close()
  await smtp.stop()
})
beforeEach(async () => {
  server.useSmtp(smtp)
  await server.database.knex('rate_limits').delete()
})

const password = 'a new password'
const ask = (email: string) =>
  openBrowser(server).send('POST', `/api/auth/resetPassword/${encodeURIComponent(email)}`)
const reset = (token: unknown, next: unknown = password) =>
  openBrowser(server).send('POST', '/api/auth/resetPassword', { token, password: next })
const mailsTo = (email: string) => smtp.messages.filter(({ to }) => to.includes(email))
const requests = () => server.database.knex('password_reset_requests')

/** The token of the latest message to the address. */
function tokenFor(email: string): string {
  const text = mailsTo(email).at(-1)?.text ?? ''
  const token = /\/auth\/resetPassword\/([\w-]{43})\s/.exec(text)?.[1]
  if (token === undefined) throw new Error(`no link in: ${text}`)
  return token
}

async function askAndSend(email: string): Promise<string> {
  expect((await ask(email)).status).toBe(202)
  await server.runReactions()
  return tokenFor(email)
}

test('treats every address alike, and sends only where there is an account', async () => {
  const { email } = await register(server)
  const before = smtp.messages.length
  const [known, unknown] = [await ask(email), await ask('nobody@example.org')]
  for (const response of [known, unknown]) {
    expect(response).toMatchObject({ status: 202, text: '', setCookies: [] })
  }
  expect(smtp.messages).toHaveLength(before)
  await server.runReactions()
  expect(smtp.messages).toHaveLength(before + 1)
  expect(mailsTo(email)).toMatchObject([{ subject: 'Reset your password' }])
  await expect(requests()).resolves.toEqual([])
})

test('the message is in the language of the person who asked', async () => {
  const { email } = await register(server)
  const path = `/api/auth/resetPassword/${encodeURIComponent(email)}`
  await openBrowser(server).send('POST', path, undefined, { 'accept-language': 'de-AT, en;q=0.5' })
  await server.runReactions()
  expect(mailsTo(email)).toMatchObject([{ subject: 'Passwort zurücksetzen' }])
})

test('the link sets a password and ends every session', async () => {
  const user = await register(server)
  const other = await signIn(server, user)
  server.settings['general.appUrl'] = 'https://files.example.org/'
  const token = await askAndSend(user.email)
  server.settings['general.appUrl'] = 'http://localhost:3000'
  const link = `https://files.example.org/auth/resetPassword/${token}`
  expect(mailsTo(user.email)[0]?.text).toContain(link)

  const response = await reset(token)
  expect(response).toMatchObject({ status: 204, text: '', setCookies: [] })
  for (const browser of [user.browser, other]) {
    await expect(isSignedIn(browser)).resolves.toBe(false)
    expect((await browser.send('POST', '/api/auth/token')).status).toBe(401)
  }
  const attempt = { email: user.email, password: user.password }
  expect((await openBrowser(server).send('POST', '/api/auth/signIn', attempt)).status).toBe(401)
  await signIn(server, { ...user, password })
})

test('finds the account whatever the case, and writes to its own address', async () => {
  const { email } = await register(server)
  await ask(email.toUpperCase())
  await server.runReactions()
  expect(mailsTo(email)).toHaveLength(1)
})

test('a link works once', async () => {
  const { email } = await register(server)
  const token = await askAndSend(email)
  expect((await reset(token)).status).toBe(204)
  expect(await reset(token)).toMatchObject({ status: 400, body: { code: 'invalid_reset_token' } })
})

test('two uses of one link at once: one sets its password', async () => {
  const user = await register(server)
  const token = await askAndSend(user.email)
  const responses = await Promise.all([reset(token, 'first password'), reset(token, 'second one')])
  const statuses = responses.map(({ status }) => status)
  expect([...statuses].sort((a, b) => a - b)).toEqual([204, 400])
  const winner = statuses[0] === 204 ? 'first password' : 'second one'
  await signIn(server, { ...user, password: winner })
})

test('a common password is refused, and leaves the link as it was', async () => {
  const user = await register(server)
  const token = await askAndSend(user.email)
  expect(await reset(token, 'Password123')).toMatchObject({
    status: 400,
    body: { code: 'password_too_common', message: 'This password is too common' },
  })
  await signIn(server, user)
  expect((await reset(token)).status).toBe(204)
})

test('a link holds for an hour, not longer', async () => {
  const user = await register(server)
  const token = await askAndSend(user.email)
  server.passSeconds(3600)
  expect(await reset(token)).toMatchObject({ status: 400, body: { code: 'invalid_reset_token' } })
  await signIn(server, user)
})

test('several links hold side by side; using one ends all', async () => {
  const user = await register(server)
  const [first, second] = [await askAndSend(user.email), await askAndSend(user.email)]
  expect(first).not.toBe(second)
  expect((await reset(first)).status).toBe(204)
  expect((await reset(second, 'another one')).status).toBe(400)
})

test.each([
  ['a password change', '/api/auth/password', (oldPassword: string) => ({ oldPassword, password })],
  [
    'another address',
    '/api/users/me',
    (own: string) => ({ email: 'moved@example.org', password: own }),
  ],
])('%s ends the links sent before', async (_, path, bodyFor) => {
  const user = await register(server)
  const token = await askAndSend(user.email)
  // Without messages an address needs no confirmation.
  server.settings['smtp.enabled'] = false
  expect((await user.browser.send('PATCH', path, bodyFor(user.password))).status).toBe(200)
  expect((await reset(token, 'another one')).status).toBe(400)
})

test('an account gets at most five messages an hour, and nobody is told', async () => {
  const { email } = await register(server)
  for (let index = 0; index < 7; index += 1) expect((await ask(email)).status).toBe(202)
  await server.runReactions()
  expect(mailsTo(email)).toHaveLength(5)
  server.passSeconds(3601)
  await ask(email)
  await server.runReactions()
  expect(mailsTo(email)).toHaveLength(6)
})

test('an account without a password gets its first one', async () => {
  const user = await register(server)
  await server.database.knex('credentials').where({ user_id: user.id }).delete()
  const token = await askAndSend(user.email)
  const browser = openBrowser(server)
  const response = await browser.send('POST', '/api/auth/resetPassword', { token, password })
  expect(response.status).toBe(200)
  await expect(isSignedIn(browser)).resolves.toBe(true)
  await expect(isSignedIn(user.browser)).resolves.toBe(false)
  const again = { email: user.email, password: user.password }
  expect((await openBrowser(server).send('POST', '/api/auth/signIn', again)).status).toBe(401)
  await signIn(server, { ...user, password })
})

test('a first password does not stand in for the second factor', async () => {
  const user = await register(server)
  await setUpTotp(server, user)
  await server.database.knex('credentials').where({ user_id: user.id }).delete()
  const response = await reset(await askAndSend(user.email))
  expect(response).toMatchObject({ status: 204, text: '', setCookies: [] })
  const attempt = { email: user.email, password }
  const begun = await openBrowser(server).send('POST', '/api/auth/signIn', attempt)
  expect(begun).toMatchObject({ status: 200, setCookies: [] })
  expect(begun.body).toHaveProperty('loginToken')
})

test('a new password does not take the second factor away, and ends waiting sign-ins', async () => {
  const user = await register(server)
  const authenticator = await setUpTotp(server, user)
  const { email } = user
  const browser = openBrowser(server)
  const begin = async (typed: string) =>
    (await browser.send('POST', '/api/auth/signIn', { email, password: typed })).body['loginToken']
  const finish = (loginToken: unknown) =>
    browser.send('POST', '/api/auth/signIn/totp', { loginToken, totp: authenticator.nextCode() })
  const waiting = await begin(user.password)
  expect((await reset(await askAndSend(email))).status).toBe(204)
  expect((await finish(waiting)).status).toBe(401)
  expect((await finish(await begin(password))).status).toBe(200)
})

test('links and tokens are kept hashed, and a request only until it is handled', async () => {
  const user = await register(server)
  await ask(user.email)
  await expect(requests()).resolves.toMatchObject([{ email: user.email }])
  await server.runReactions()
  await expect(requests()).resolves.toEqual([])
  const rows = await server.database.knex('one_time_tokens').where({ user_id: user.id })
  expect(rows).toHaveLength(1)
  expect(rows[0].token_hash.toString('base64url')).not.toBe(tokenFor(user.email))
})

test('while the mail server is away the job fails, and later sends one message', async () => {
  const { email, id } = await register(server)
  await ask(email)
  await smtp.stop()
  const began = Date.now()
  expect((await ask('nobody@example.org')).status).toBe(202)
  expect(Date.now() - began).toBeLessThan(2_000)
  await expect(server.runReactions()).rejects.toMatchObject({ code: 'mail_unavailable' })
  const tokens = server.database.knex('one_time_tokens').where({ user_id: id })
  await expect(tokens).resolves.toEqual([])
  await smtp.start()
  await server.runReactions()
  expect(mailsTo(email)).toHaveLength(1)
  expect((await reset(tokenFor(email))).status).toBe(204)
})

test('the same request tried again carries the same message id', async () => {
  const { email } = await register(server)
  await ask(email)
  const [request] = await requests()
  await server.runJob(jobs.sendPasswordReset, { requestId: request.id })
  await requests().insert(request)
  await server.runJob(jobs.sendPasswordReset, { requestId: request.id })
  const [first, second] = mailsTo(email)
  expect(first?.messageId).toMatch(/^<.+@.+>$/)
  expect(second?.messageId).toBe(first?.messageId)
  expect(second?.text).not.toBe(first?.text)
})

test('with e-mail switched off a request ends silently', async () => {
  const { email } = await register(server)
  server.settings['smtp.enabled'] = false
  expect((await ask(email)).status).toBe(202)
  await server.runReactions()
  expect(mailsTo(email)).toEqual([])
  await expect(requests()).resolves.toEqual([])
})

test.each([
  ['no token', undefined, password],
  ['a short password', 'x'.repeat(43), 'short'],
  ['an endless token', 'x'.repeat(201), password],
  ['a number', 5, password],
])('refuses %s', async (_, token, next) => {
  const response = await reset(token, next)
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
})

test.each(['x'.repeat(43), '\u0000', "' or 1=1"])('the token %j is none', async (token) => {
  const response = await reset(token)
  expect(response).toMatchObject({ status: 400, body: { code: 'invalid_reset_token' } })
})

test.each(['nobody', 'a@b', 'a%00b@example.org', `${'x'.repeat(250)}@example.org`])(
  '%j is no address to ask for',
  async (address) => {
    const path = `/api/auth/resetPassword/${address}`
    const response = await openBrowser(server).send('POST', path)
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  },
)

test('requests of one address are limited, for any account', async () => {
  for (let index = 0; index < 20; index += 1) await ask(`nobody${index}@example.org`)
  const response = await ask('nobody@example.org')
  expect(response.status).toBe(429)
  const elsewhere = await openBrowser(server).send(
    'POST',
    '/api/auth/resetPassword/nobody@example.org',
    undefined,
    { 'x-forwarded-for': '192.0.2.1' },
  )
  expect(elsewhere.status).toBe(202)
})

test('wrong links of one address are limited, and a right one is then refused too', async () => {
  const { email } = await register(server)
  const token = await askAndSend(email)
  const guesses = Array.from({ length: 20 }, (_, index) => reset(`${index}`))
  for (const { status } of await Promise.all(guesses)) expect(status).toBe(400)
  expect((await reset(token)).status).toBe(429)
  await server.database.knex('rate_limits').delete()
  expect((await reset(token)).status).toBe(204)
})
