import { jobs } from '@floe/contracts'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

const newEmail = () => makeRegistration().email
const update = (browser: Browser, body: unknown) => browser.send('PATCH', '/api/users/me', body)
const me = async (browser: Browser) => (await browser.send('GET', '/api/users/me')).body
const confirm = (token: unknown) => openBrowser(server).send('POST', '/api/auth/verify', { token })
const mailsTo = (email: string) => smtp.messages.filter(({ to }) => to.includes(email))
const changes = (userId: string) => server.database.knex('email_changes').where({ user_id: userId })
const overOrUnknown = { status: 400, body: { code: 'invalid_reset_token' } }

/** The token of the latest message to the address. */
function tokenFor(email: string): string {
  const text = mailsTo(email).at(-1)?.text ?? ''
  const token = /\/auth\/verify\/([\w-]{43})\s/.exec(text)?.[1]
  if (token === undefined) throw new Error(`no link in: ${text}`)
  return token
}

async function withPending() {
  const user = await register(server)
  const email = newEmail()
  const { password } = user
  expect((await update(user.browser, { email, password })).status).toBe(200)
  await server.runReactions()
  return { ...user, next: email, token: tokenFor(email) }
}

async function withoutPassword() {
  const user = await register(server)
  return {
    ...user,
    forgetPassword: () => server.database.knex('credentials').where({ user_id: user.id }).delete(),
  }
}

describe('where no messages are sent', () => {
  beforeEach(() => {
    server.settings['smtp.enabled'] = false
  })

  test('another address counts at once, with the password', async () => {
    const user = await register(server)
    const { browser, password } = user
    const email = newEmail()
    const { status, body } = await update(browser, { email, password })
    expect({ status, body }).toMatchObject({ status: 200, body: { email } })
    expect(body).not.toHaveProperty('pendingEmail')
    await signIn(server, { ...user, email })
    await expect(changes(user.id)).resolves.toEqual([])
  })

  test.each([
    ['no password', {}],
    ['an empty password', { password: '' }],
    ['a wrong password', { password: 'wrong password' }],
    ['a code in place of the password', { totp: '123456' }],
  ])('refuses another address with %s, and changes nothing', async (_, proof) => {
    const { browser, username, email } = await register(server)
    const { username: renamed } = makeRegistration()
    const response = await update(browser, { username: renamed, email: newEmail(), ...proof })
    expect(response).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    expect(await me(browser)).toMatchObject({ username, email })
  })

  test('asks for nothing where the address stays, however it is spelled', async () => {
    const { browser, email } = await register(server)
    const { username } = makeRegistration()
    // As other clients send it.
    expect(await update(browser, { username, email })).toMatchObject({
      status: 200,
      body: { username, email },
    })
    const spelled = email.toUpperCase()
    expect(await update(browser, { email: spelled })).toMatchObject({
      status: 200,
      body: { email: spelled },
    })
  })

  test('wrong passwords count like those of other changes', async () => {
    const { browser, password } = await register(server)
    for (let index = 0; index < 10; index += 1) {
      const response = await update(browser, { email: newEmail(), password: 'wrong password' })
      expect(response.status).toBe(403)
    }
    expect((await update(browser, { email: newEmail(), password })).status).toBe(429)
    const change = { oldPassword: password, password: 'a new password' }
    expect((await browser.send('PATCH', '/api/auth/password', change)).status).toBe(429)
  })

  describe('an account without a password', () => {
    test('changes its address within five minutes of signing in, and not later', async () => {
      const { browser, forgetPassword } = await withoutPassword()
      await forgetPassword()
      const email = newEmail()
      server.passSeconds(5 * 60 - 10)
      expect(await update(browser, { email })).toMatchObject({ status: 200, body: { email } })
      server.passSeconds(20)
      // Renewing the session is no sign-in.
      expect((await browser.send('POST', '/api/auth/token')).status).toBe(200)
      expect(await update(browser, { email: newEmail() })).toMatchObject({
        status: 403,
        body: { code: 'recent_sign_in_required' },
      })
      expect(await me(browser)).toMatchObject({ email })
    })

    test('changes it later with a code of its second factor, each once', async () => {
      const user = await withoutPassword()
      const authenticator = await setUpTotp(server, user)
      await user.forgetPassword()
      server.passSeconds(10 * 60)
      const { browser } = user
      const email = newEmail()
      const wrong = { status: 400, body: { code: 'invalid_totp' } }
      expect(await update(browser, { email, totp: '000000' })).toMatchObject(wrong)
      const totp = authenticator.nextCode()
      expect(await update(browser, { email, totp })).toMatchObject({ status: 200, body: { email } })
      expect(await update(browser, { email: newEmail(), totp })).toMatchObject(wrong)
    })

    test('gets no second factor from a session of earlier, which would stand in', async () => {
      const { browser, forgetPassword } = await withoutPassword()
      await forgetPassword()
      server.passSeconds(5 * 60 + 1)
      expect(await browser.send('POST', '/api/auth/totp/enable', {})).toMatchObject({
        status: 403,
        body: { code: 'recent_sign_in_required' },
      })
    })
  })
})

describe('where messages are sent', () => {
  test('the address so far counts until the new one is confirmed', async () => {
    const user = await register(server)
    const { browser, password } = user
    const email = newEmail()
    const pending = { email: user.email, pendingEmail: email }
    const { username } = makeRegistration()
    expect(await update(browser, { username, email, password })).toMatchObject({
      status: 200,
      body: { username, ...pending },
    })
    expect(await me(browser)).toMatchObject(pending)
    await signIn(server, user)

    await server.runReactions()
    const token = tokenFor(email)
    expect(await confirm(token)).toMatchObject({ status: 204, text: '', setCookies: [] })
    const changed = await me(browser)
    expect(changed).toMatchObject({ email })
    expect(changed).not.toHaveProperty('pendingEmail')
    await signIn(server, { ...user, email })
    const body = { email: user.email, password }
    expect((await openBrowser(server).send('POST', '/api/auth/signIn', body)).status).toBe(401)
  })

  test('the address so far is told at once, in the language of the user who asked, and so is the new one', async () => {
    const { browser, email: old, password } = await register(server)
    server.settings['general.appUrl'] = 'https://files.example.org/'
    const email = newEmail()
    const german = { 'accept-language': 'de' }
    await browser.send('PATCH', '/api/users/me', { email, password }, german)
    await server.runReactions()
    server.settings['general.appUrl'] = 'http://localhost:3000'

    const [notice, ...others] = mailsTo(old)
    expect(others).toEqual([])
    expect(notice?.subject).toBe('Ihre E-Mail-Adresse soll geändert werden')
    expect(notice?.text).toContain(email)
    expect(notice?.text).toContain('https://files.example.org/account\n')
    expect(notice?.text).not.toContain('/auth/verify/')
    expect(mailsTo(email)).toMatchObject([{ subject: 'Neue E-Mail-Adresse bestätigen' }])
    expect(mailsTo(email)[0]?.text).toContain(
      `https://files.example.org/auth/verify/${tokenFor(email)}`,
    )
  })

  test('the old address is told although the change was confirmed before', async () => {
    const { browser, id, email: old, password } = await register(server)
    const email = newEmail()
    await update(browser, { email, password })
    const [change] = await changes(id)
    await server.runJob(jobs.sendEmailChangeLink, { changeId: change.id })
    expect((await confirm(tokenFor(email))).status).toBe(204)
    await server.runJob(jobs.sendEmailChangeNotice, { changeId: change.id })
    expect(mailsTo(old)).toHaveLength(1)
    await server.runJob(jobs.sendEmailChangeLink, { changeId: change.id })
    expect(mailsTo(email)).toHaveLength(1)
  })

  test('a link works once', async () => {
    const { token } = await withPending()
    expect((await confirm(token)).status).toBe(204)
    expect(await confirm(token)).toMatchObject(overOrUnknown)
  })

  test('two uses of one link at once: one counts', async () => {
    const { token } = await withPending()
    const responses = await Promise.all([confirm(token), confirm(token)])
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 400])
  })

  test('a link holds for a day, not longer', async () => {
    const { browser, token, email, password } = await withPending()
    server.passSeconds(24 * 3600)
    expect(await confirm(token)).toMatchObject(overOrUnknown)
    const later = await signIn(server, { username: '', email, password })
    expect(await me(later)).not.toHaveProperty('pendingEmail')
    await expect(isSignedIn(browser)).resolves.toBe(false)
  })

  test('only the hash of a link is kept', async () => {
    const { id, token } = await withPending()
    const [change] = await changes(id)
    expect(change.token_hash).toHaveLength(32)
    expect(JSON.stringify(change)).not.toContain(token)
  })

  test.each([
    ['a password change', 'PATCH', '/api/auth/password'],
    ['another address that was asked for later', 'PATCH', '/api/users/me'],
    ['the end of the account', 'DELETE', '/api/users/me'],
  ])('%s ends the change', async (_, method, path) => {
    // Somebody has to stay the administrator.
    await register(server)
    const { browser, token, email, password } = await withPending()
    const bodies = {
      '/api/auth/password': { oldPassword: password, password: 'a new password' },
      '/api/users/me': method === 'PATCH' ? { email: newEmail(), password } : undefined,
    }
    const body = Object.entries(bodies).find(([name]) => name === path)?.[1]
    expect((await browser.send(method, path, body)).status).toBe(200)
    expect(await confirm(token)).toMatchObject(overOrUnknown)
    if (method === 'PATCH') expect(await me(browser)).toMatchObject({ email })
  })

  test('a link of an earlier wish does not confirm a later one', async () => {
    const { browser, id, password, token } = await withPending()
    const [earlier] = await changes(id)
    const email = newEmail()
    await update(browser, { email, password })
    // Late, as when the mail server was away.
    await server.runJob(jobs.sendEmailChangeLink, { changeId: earlier.id })
    expect(await confirm(token)).toMatchObject(overOrUnknown)
    await server.runReactions()
    expect((await confirm(tokenFor(email))).status).toBe(204)
    expect(await me(browser)).toMatchObject({ email })
  })

  test('an address somebody has is refused, for those who know the password', async () => {
    const { browser, password } = await register(server)
    const { email } = await register(server)
    const taken = { status: 400, body: { code: 'email_taken' } }
    expect((await update(browser, { email })).status).toBe(403)
    expect(await update(browser, { email: email.toUpperCase(), password })).toMatchObject(taken)
    expect(await me(browser)).not.toHaveProperty('pendingEmail')
  })

  test('an address taken meanwhile is refused when it is confirmed', async () => {
    const { browser, email, next, token } = await withPending()
    await register(server, { ...makeRegistration(), email: next })
    expect(await confirm(token)).toMatchObject({ status: 400, body: { code: 'email_taken' } })
    expect(await me(browser)).toMatchObject({ email })
  })

  test('of two accounts that confirm one address at once, one gets it', async () => {
    const users = await Promise.all([register(server), register(server)])
    const email = newEmail()
    for (const { browser, password } of users) await update(browser, { email, password })
    await server.runReactions()
    const tokens = mailsTo(email).map(({ text }) => /\/auth\/verify\/([\w-]{43})/.exec(text)?.[1])
    expect(tokens).toHaveLength(2)
    const responses = await Promise.all(tokens.map(confirm))
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 400])
  })

  test('wrong links count, and are refused in the end', async () => {
    for (let index = 0; index < 20; index += 1) {
      expect(await confirm('A'.repeat(43))).toMatchObject(overOrUnknown)
    }
    expect((await confirm('A'.repeat(43))).status).toBe(429)
  })

  test('nobody has messages sent to many addresses', async () => {
    const { browser, password } = await register(server)
    for (let index = 0; index < 10; index += 1) {
      expect((await update(browser, { email: newEmail(), password })).status).toBe(200)
    }
    expect((await update(browser, { email: newEmail(), password })).status).toBe(429)
  })

  test('a mail server that is away changes nothing: the next try sends another link', async () => {
    const { browser, id, password } = await register(server)
    const email = newEmail()
    await update(browser, { email, password })
    const [change] = await changes(id)
    smtp.refuse('for now')
    const send = () => server.runJob(jobs.sendEmailChangeLink, { changeId: change.id })
    await expect(send()).rejects.toThrow()
    smtp.refuse(null)
    await send()
    expect((await confirm(tokenFor(email))).status).toBe(204)
  })

  test('switched off meanwhile, messages stay unsent and the change over is purged', async () => {
    const { browser, id, email: old, password } = await register(server)
    const email = newEmail()
    await update(browser, { email, password })
    server.settings['smtp.enabled'] = false
    await server.runReactions()
    expect([...mailsTo(old), ...mailsTo(email)]).toEqual([])
    server.passSeconds(48 * 3600 - 60)
    await server.runJob(jobs.purgeTokens, {})
    await expect(changes(id)).resolves.toHaveLength(1)
    server.passSeconds(120)
    await server.runJob(jobs.purgeTokens, {})
    await expect(changes(id)).resolves.toEqual([])
  })

  test('an administrator moves an account at once, and ends what its user asked for', async () => {
    const { id, browser, token } = await withPending()
    const admin = await register(server)
    await server.database.knex('users').where({ id: admin.id }).update({ is_admin: true })
    const email = newEmail()
    const moved = await admin.browser.send('PATCH', `/api/users/${id}`, { email })
    expect(moved).toMatchObject({ status: 200, body: { email } })
    expect(await confirm(token)).toMatchObject(overOrUnknown)
    expect(await me(browser)).toMatchObject({ email })
  })
})
