import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts'
import { type Browser, makeRegistration, openBrowser, register } from '../testing/browser.ts'

let smtp: SmtpCatcher
let server: AuthServer
let admin: Browser
beforeAll(async () => {
  smtp = await startSmtpCatcher()
  server = await startAuthServer()
  server.useSmtp(smtp)
  server.settings['general.requireEmailVerification'] = true
  admin = (await register(server)).browser
})
afterAll(async () => {
  await server.close()
  await smtp.stop()
})
beforeEach(async () => {
  server.useSmtp(smtp)
  server.settings['general.requireEmailVerification'] = true
  await server.database.knex('rate_limits').delete()
  await server.runReactions()
})

const me = async (browser: Browser) => (await browser.send('GET', '/api/users/me')).body
const sendAgain = (browser: Browser) => browser.send('POST', '/api/users/me/emailVerification')
const confirm = (token: string) => openBrowser(server).send('POST', '/api/auth/verify', { token })
const messagesTo = (email: string) => smtp.messages.filter(({ to }) => to.includes(email))
const standingOf = async (browser: Browser) => {
  const accessToken = browser.cookies.get('access_token') ?? null
  return (await server.port.identify({ accessToken }))?.emailStanding
}

function tokenFor(email: string): string {
  const text = messagesTo(email).at(-1)?.text ?? ''
  const token = /\/auth\/verify\/([\w-]{43})\s/.exec(text)?.[1]
  if (token === undefined) throw new Error(`no link in: ${text}`)
  return token
}

async function signUp(headers: Record<string, string> = {}) {
  const registration = makeRegistration()
  const browser = openBrowser(server)
  const response = await browser.send('POST', '/api/auth/signUp', registration, headers)
  expect(response.status).toBe(201)
  await server.runReactions()
  return { ...registration, browser, response }
}

test('of administrators, those are told who may be written to', async () => {
  const listed = async () =>
    (await server.port.listAdministrators({})).map(({ email: address }) => address)
  const [first] = await listed()
  const { browser, email } = await signUp()
  const { id } = (await me(browser)) as { id: string }
  expect(await listed()).toEqual([first])
  const promoted = await admin.send('PATCH', `/api/users/${id}`, { isAdmin: true })
  expect(promoted.status).toBe(200)
  expect(await listed()).toEqual([first])
  await confirm(tokenFor(email))
  expect((await listed()).sort()).toEqual([first, email].sort())
})

test('an account that signs up owes a proof of its address until it opens the link sent there', async () => {
  const { browser, email, response } = await signUp({ 'accept-language': 'de' })
  expect(response.body).toMatchObject({ user: { mustVerifyEmail: true } })
  expect(await me(browser)).toMatchObject({ mustVerifyEmail: true })
  expect(await me(browser)).not.toHaveProperty('pendingEmail')
  expect(await standingOf(browser)).toBe('owed')
  expect(messagesTo(email).map(({ subject }) => subject)).toEqual(['E-Mail-Adresse bestätigen'])
  const token = tokenFor(email)
  expect((await confirm(token)).status).toBe(204)
  expect(await me(browser)).not.toHaveProperty('mustVerifyEmail')
  expect(await standingOf(browser)).toBe('verified')
  expect(await confirm(token)).toMatchObject({ body: { code: 'invalid_reset_token' } })
})

test('the first account, and those that administrators make, owe nothing', async () => {
  expect(await standingOf(admin)).toBe('verified')
  const { username, email, password } = makeRegistration()
  await admin.send('POST', '/api/users', { username, email, password })
  const browser = openBrowser(server)
  await browser.send('POST', '/api/auth/signIn', { email, password })
  expect(await standingOf(browser)).toBe('verified')
})

test('an account from when nobody asked owes nothing once somebody does', async () => {
  server.settings['general.requireEmailVerification'] = false
  const { browser, email } = await signUp()
  expect(messagesTo(email)).toEqual([])
  server.settings['general.requireEmailVerification'] = true
  expect(await standingOf(browser)).toBe('assumed')
  expect(await me(browser)).not.toHaveProperty('mustVerifyEmail')
  expect((await sendAgain(browser)).status).toBe(202)
  await server.runReactions()
  expect(messagesTo(email)).toEqual([])
})

test('nobody owes what cannot be sent', async () => {
  server.settings['smtp.enabled'] = false
  const { browser } = await signUp()
  expect(await me(browser)).not.toHaveProperty('mustVerifyEmail')
  expect(await standingOf(browser)).toBe('assumed')
})

test('the link is sent again, and the one before ends', async () => {
  const { browser, email } = await signUp()
  const first = tokenFor(email)
  expect((await sendAgain(browser)).status).toBe(202)
  await server.runReactions()
  expect(messagesTo(email)).toHaveLength(2)
  expect(await confirm(first)).toMatchObject({ status: 400, body: { code: 'invalid_reset_token' } })
  expect((await confirm(tokenFor(email))).status).toBe(204)
})

test('an account has so many links sent in an hour, and visitors none', async () => {
  const { browser } = await signUp()
  for (let index = 0; index < 10; index += 1) {
    expect((await sendAgain(browser)).status).toBe(202)
  }
  expect(await sendAgain(browser)).toMatchObject({ status: 429 })
  expect(await sendAgain(openBrowser(server))).toMatchObject({ status: 403 })
})

test('a link that is over is sent anew', async () => {
  const { browser, email } = await signUp()
  const first = tokenFor(email)
  server.passSeconds(24 * 3600 + 1)
  expect(await confirm(first)).toMatchObject({ status: 400 })
  await browser.send('POST', '/api/auth/token')
  await sendAgain(browser)
  await server.runReactions()
  expect((await confirm(tokenFor(email))).status).toBe(204)
})

test('the link to another address proves that one', async () => {
  const { browser, email, password } = await signUp()
  const first = tokenFor(email)
  const next = makeRegistration().email
  const change = { email: next, password }
  expect((await browser.send('PATCH', '/api/users/me', change)).status).toBe(200)
  await server.runReactions()
  expect(await me(browser)).toMatchObject({ email, pendingEmail: next, mustVerifyEmail: true })
  expect(await confirm(first)).toMatchObject({ status: 400 })
  expect((await confirm(tokenFor(next))).status).toBe(204)
  expect(await me(browser)).toMatchObject({ email: next })
  expect(await standingOf(browser)).toBe('verified')
})

test('an address that was changed without a link is not verified', async () => {
  const { browser, email, password } = await signUp()
  await confirm(tokenFor(email))
  server.settings['smtp.enabled'] = false
  await browser.send('PATCH', '/api/users/me', { email: makeRegistration().email, password })
  expect(await standingOf(browser)).toBe('assumed')
})

test('a new password by the link in a message proves the address as well', async () => {
  const { email, password } = await signUp()
  await openBrowser(server).send('POST', `/api/auth/resetPassword/${email}`)
  await server.runReactions()
  const text = messagesTo(email).at(-1)?.text ?? ''
  const token = /\/auth\/resetPassword\/([\w-]+)/.exec(text)?.[1]
  const browser = openBrowser(server)
  const reset = { token, password: `new ${password}` }
  expect((await browser.send('POST', '/api/auth/resetPassword', reset)).status).toBe(204)
  await browser.send('POST', '/api/auth/signIn', { email, password: reset.password })
  expect(await standingOf(browser)).toBe('verified')
})
