import { randomBytes } from 'node:crypto'
import { authRoutes, tokenRoutes } from '@floe/contracts'
import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, signIn, signInAsAdmin, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import {
  type HttpResponse,
  type Client,
  createClient,
  type SendOptions,
} from './world/http-client.ts'
import {
  changeSettings,
  readEmailToken,
  readPasswordToken,
  sendMailsTo,
  sendNoMails,
} from './world/mail.ts'
import { codeOf, keysOf } from './world/shares.ts'
import { beginSignIn, enrolTotp, finishSignIn, totpCode, wrongTotpCode } from './world/totp.ts'

const userKeys = ['email', 'id', 'isAdmin', 'totpVerified', 'username']
const ownUserKeys = [...userKeys, 'hasPassword', 'shareSizeLimit', 'showName'].sort()
const managedUserKeys = [...userKeys, 'shareSizeLimit', 'storageLimit'].sort()
const tokenKeys = ['accessToken', 'refreshToken']
const apiTokenKeys = [
  ...['createdAt', 'expiresAt', 'id', 'lastUse', 'maxExpiration', 'maxShareSize', 'name'],
  ...['networks', 'prefix', 'scopes'],
]
const errorKeys = ['code', 'error', 'message', 'statusCode']

/** Every response to anybody, to be searched for secrets at the end. */
const noted: { what: string; text: string }[] = []
/** What must never have been in it. */
const secrets = new Set<string>(['$argon2', 'argon2id'])
/** Routes that some response of success was seen of. */
const seen = new Set<string>()

onOneArrangement('embedded', 'on the wire', (floe) => {
  let admin: Client
  let catcher: SmtpCatcher
  const stranger = createClient(floe.url)
  const settingSecrets = {
    'smtp.password': randomBytes(16).toString('hex'),
    'oauth.github-clientSecret': randomBytes(16).toString('hex'),
    'oauth.oidc-clientSecret': randomBytes(16).toString('hex'),
  }

  beforeAll(async () => {
    admin = recording(await signInAsAdmin(floe))
    catcher = await startSmtpCatcher()
    await sendMailsTo(catcher, admin)
    await changeSettings(admin, [
      ...Object.entries(settingSecrets).map(([key, value]) => ({ key, value })),
      // The catcher speaks no TLS, and asks for no password.
      { key: 'smtp.tls', value: 'opportunistic' },
    ])
    Object.values(settingSecrets).forEach((value) => secrets.add(value))
  })
  afterAll(async () => {
    await changeSettings(
      admin,
      [...Object.keys(settingSecrets), 'smtp.tls'].map((key) => ({ key, value: '' })),
    )
    await sendNoMails(admin)
    await catcher.stop()
  })

  /** Notes every response, but those that are the one place for a secret. */
  function recording(client: Client): Client {
    return {
      ...client,
      send: async (method: string, path: string, options?: SendOptions) => {
        const response = await client.send(method, path, options)
        if (response.status < 400) seen.add(`${method} ${path}`)
        if (path === '/api/auth/totp/enable' && response.status === 201) {
          secrets.add((response.body as { totpSecret: string }).totpSecret)
        } else if (`${method} ${path}` === 'POST /api/tokens' && response.status === 201) {
          secrets.add((response.body as { token: string }).token)
        } else {
          const headers = JSON.stringify(response.headers)
          noted.push({ what: `${method} ${path}`, text: response.text + headers })
        }
        return response
      },
    }
  }

  async function newUser() {
    const account = newAccount()
    secrets.add(account.password)
    const client = recording(await signUp(floe, account))
    const { id } = (await client.send('GET', '/api/users/me')).body as { id: string }
    return { account, client, id }
  }

  function send(client: Client, route: keyof typeof authRoutes, json?: unknown, id = '') {
    const { method, path } = authRoutes[route]
    return client.send(method.toUpperCase(), path.replace(/:\w+/, id), {
      ...(json !== undefined && { json }),
    })
  }

  function expectRefusal(response: HttpResponse, status: number, code: string): void {
    expect(response.status, response.text).toBe(status)
    expect(keysOf(response.body)).toEqual(errorKeys)
    expect(response.body).toMatchObject({ code, statusCode: status, message: expect.anything() })
  }

  const cookiesOf = ({ headers }: HttpResponse) =>
    (headers['set-cookie'] ?? []).map((cookie) => cookie.split('=')[0]).sort()

  describe('signing up', () => {
    test('responds with 201 with both tokens and the user, as cookies too', async () => {
      const account = newAccount()
      const response = await send(recording(createClient(floe.url)), 'signUp', account)
      expect(response.status).toBe(201)
      expect(keysOf(response.body)).toEqual([...tokenKeys, 'user'])
      const { user } = response.body as { user: Record<string, unknown> }
      expect(keysOf(user)).toEqual(userKeys)
      expect(user).toMatchObject({ email: account.email, isAdmin: false, totpVerified: false })
      expect(cookiesOf(response)).toEqual(['access_token', 'device', 'refresh_token'])
    })

    test('responds with 400 for what is taken or breaks a rule', async () => {
      const { account } = await newUser()
      const free = newAccount()
      const sign = (changes: object) => send(stranger, 'signUp', { ...free, ...changes })
      expectRefusal(await sign({ email: account.email }), 400, 'email_taken')
      expectRefusal(await sign({ username: account.username }), 400, 'username_taken')
      expectRefusal(await sign({ password: 'PassWord123' }), 400, 'password_too_common')
      const bad = await sign({ password: 'short', username: 'a b', email: 'nobody' })
      expectRefusal(bad, 400, 'validation_failed')
      expect(bad.body).toMatchObject({ error: 'Bad Request', message: expect.any(Array) })
    })

    test('responds with 403 while registration is off', async () => {
      const key = 'share.allowRegistration'
      await changeSettings(admin, [{ key, value: false }])
      try {
        await expect
          .poll(async () => (await send(stranger, 'signUp', newAccount())).status)
          .toBe(403)
        expectRefusal(await send(stranger, 'signUp', newAccount()), 403, 'registration_disabled')
      } finally {
        await changeSettings(admin, [{ key, value: '' }])
        await expect
          .poll(async () => (await send(stranger, 'signUp', newAccount())).status)
          .toBe(201)
      }
    })
  })

  describe('signing in', () => {
    test('responds with 200 with both tokens, by e-mail or by username', async () => {
      const { account } = await newUser()
      const { email, username, password } = account
      for (const identity of [{ email }, { username }, { email: email.toUpperCase() }]) {
        const response = await send(recording(createClient(floe.url)), 'signIn', {
          ...identity,
          password,
        })
        expect(response.status, response.text).toBe(200)
        expect(keysOf(response.body)).toEqual(tokenKeys)
        expect(cookiesOf(response)).toEqual(['access_token', 'device', 'refresh_token'])
      }
    })

    test('responds with one and the same 401, whether or not there is such an account', async () => {
      const { account } = await newUser()
      const texts = await Promise.all(
        [account.email, newAccount().email].map(async (email) => {
          const client = createClient(floe.url)
          const response = await send(client, 'signIn', { email, password: 'wrong password' })
          expectRefusal(response, 401, 'wrong_credentials')
          expect(response.headers['set-cookie']).toBeUndefined()
          return response.text
        }),
      )
      expect(new Set(texts).size).toBe(1)
    })

    test('responds with 400 when neither an e-mail address nor a username is given', async () => {
      const response = await send(stranger, 'signIn', { password: 'a password' })
      expectRefusal(response, 400, 'validation_failed')
    })

    test('responds with a login token and no cookie when a second step is due', async () => {
      const { account, client } = await newUser()
      const secret = await enrolTotp(client, account)
      const response = await send(recording(createClient(floe.url)), 'signIn', account)
      expect(response.status).toBe(200)
      expect(keysOf(response.body)).toEqual(['loginToken'])
      expect(response.headers['set-cookie']).toBeUndefined()

      const step = await beginSignIn(floe.url, account)
      const browser = recording(step.client)
      expectRefusal(
        await finishSignIn({ ...step, client: browser }, wrongTotpCode(secret)),
        400,
        'invalid_totp',
      )
      const done = await finishSignIn({ ...step, client: browser }, totpCode(secret, 1))
      expect(done.status).toBe(200)
      expect(keysOf(done.body)).toEqual(tokenKeys)
      expect(cookiesOf(done)).toEqual(['access_token', 'device', 'refresh_token'])
      const again = await finishSignIn(step, totpCode(secret, 1))
      expectRefusal(again, 401, 'unauthorized')
    })
  })

  test('renewing responds with 200 with the access token alone, or 401', async () => {
    const { client } = await newUser()
    const response = await send(client, 'renewToken')
    expect(response.status).toBe(200)
    expect(keysOf(response.body)).toEqual(['accessToken'])
    expect(cookiesOf(response)).toEqual(['access_token', 'refresh_token'])
    const refused = await send(createClient(floe.url), 'renewToken')
    expectRefusal(refused, 401, 'unauthorized')
    expect(refused.body).toMatchObject({ message: 'Unauthorized' })
  })

  test('signing out responds with an empty 201 to anyone and takes both cookies', async () => {
    const { client } = await newUser()
    const response = await send(client, 'signOut')
    expect(response).toMatchObject({ status: 201, text: '' })
    expect(cookiesOf(response)).toEqual(['access_token', 'refresh_token'])
    expect(await send(createClient(floe.url), 'signOut')).toMatchObject({ status: 201, text: '' })
  })

  test('changing the password responds with 200 with a new refresh token', async () => {
    const { account, client } = await newUser()
    const json = { oldPassword: account.password, password: 'another password' }
    const wrong = await send(client, 'changePassword', { ...json, oldPassword: 'wrong' })
    expectRefusal(wrong, 403, 'wrong_password')
    expectRefusal(
      await send(client, 'changePassword', { password: 'another password' }),
      403,
      'wrong_password',
    )
    const response = await send(client, 'changePassword', json)
    expect(response.status).toBe(200)
    expect(keysOf(response.body)).toEqual(['refreshToken'])
    expect(cookiesOf(response)).toContain('refresh_token')
  })

  describe('a forgotten password', () => {
    test('is asked for with 202 and an empty response for any address', async () => {
      const { account } = await newUser()
      const responses = await Promise.all(
        [account.email, newAccount().email].map((email) =>
          send(recording(createClient(floe.url)), 'requestPasswordReset', undefined, email),
        ),
      )
      for (const response of responses) expect(response).toMatchObject({ status: 202, text: '' })
      const [known, unknown] = responses.map(({ headers }) => keysOf(headers))
      expect(known).toEqual(unknown)
      const bad = await send(stranger, 'requestPasswordReset', undefined, 'nobody')
      expectRefusal(bad, 400, 'validation_failed')
    })

    test('is set with 204 by the link of a message, once', async () => {
      const { account } = await newUser()
      const client = recording(createClient(floe.url))
      await send(client, 'requestPasswordReset', undefined, account.email)
      const token = await readPasswordToken(catcher, account.email)
      secrets.add(token)
      const json = { token, password: 'another password' }
      expectRefusal(
        await send(client, 'resetPassword', { ...json, password: 'short' }),
        400,
        'validation_failed',
      )
      const done = await send(client, 'resetPassword', json)
      expect(done).toMatchObject({ status: 204, text: '' })
      expectRefusal(await send(client, 'resetPassword', json), 400, 'invalid_reset_token')
      const madeUp = { ...json, token: 'A'.repeat(43) }
      expectRefusal(await send(client, 'resetPassword', madeUp), 400, 'invalid_reset_token')
      await signIn(floe.url, { ...account, password: json.password })
    })
  })

  test('TOTP responds with 201 throughout: an enrolment, true, codes, true', async () => {
    const { account, client } = await newUser()
    const { password } = account
    expectRefusal(await send(client, 'enableTotp', { password: 'wrong' }), 403, 'wrong_password')
    const enabled = await send(client, 'enableTotp', { password })
    expect(enabled.status).toBe(201)
    expect(keysOf(enabled.body)).toEqual(['qrCode', 'totpAuthUrl', 'totpSecret'])
    const { totpSecret } = enabled.body as { totpSecret: string }
    expectRefusal(
      await send(client, 'verifyTotp', { password, code: wrongTotpCode(totpSecret) }),
      400,
      'invalid_totp',
    )
    const verified = await send(client, 'verifyTotp', { password, code: totpCode(totpSecret) })
    expect(verified).toMatchObject({ status: 201, text: 'true' })
    expectRefusal(await send(client, 'enableTotp', { password }), 400, 'totp_already_enabled')
    const codes = await send(client, 'createRecoveryCodes', { password })
    expect(codes.status).toBe(201)
    expect(keysOf(codes.body)).toEqual(['recoveryCodes'])
    const code = totpCode(totpSecret, 1)
    const disabled = await send(client, 'disableTotp', { password, code })
    expect(disabled).toMatchObject({ status: 201, text: 'true' })
    expectRefusal(await send(client, 'disableTotp', { password, code }), 400, 'totp_not_enabled')
  })

  test('the list of devices holds no token, and ending them responds with an empty 204', async () => {
    const { account, client } = await newUser()
    await signIn(floe.url, account)
    const list = await send(client, 'listSessions')
    expect(list.status).toBe(200)
    const sessions = list.body as { id: string; isCurrent: boolean }[]
    expect(sessions).toHaveLength(2)
    for (const session of sessions) {
      expect(keysOf(session)).toEqual([
        'clientAddress',
        'createdAt',
        'id',
        'isCurrent',
        'lastUsedAt',
        'userAgent',
      ])
    }
    const other = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
    const ended = await send(client, 'endSession', undefined, other)
    expect(ended).toMatchObject({ status: 204, text: '' })
    expectRefusal(await send(client, 'endSession', undefined, other), 404, 'session_not_found')
    const all = await send(client, 'endSessions')
    expect(all).toMatchObject({ status: 204, text: '' })
    expect(cookiesOf(all)).toEqual(['access_token', 'refresh_token'])
  })

  test('tokens for scripts respond with 201, a list without any of them, and an empty 204', async () => {
    const { client, id } = await newUser()
    const json = { name: 'backup', scopes: ['shares:read'] }
    const tokens = '/api/tokens'
    const made = await client.send('POST', tokens, { json })
    expect(made.status, made.text).toBe(201)
    expect(keysOf(made.body)).toEqual([...apiTokenKeys, 'token'])
    const { id: tokenId } = made.body as { id: string }
    expectRefusal(await client.send('POST', tokens, { json: {} }), 400, 'validation_failed')
    const greedy = { ...json, scopes: ['admin:users'] }
    expectRefusal(await client.send('POST', tokens, { json: greedy }), 403, 'forbidden')

    for (const list of [
      await client.send('GET', tokens),
      await admin.send('GET', `${tokens}?userId=${id}`),
    ]) {
      expect(list.status).toBe(200)
      expect(list.body).toMatchObject([{ id: tokenId, name: 'backup', lastUse: null }])
      for (const one of list.body as object[]) expect(keysOf(one)).toEqual(apiTokenKeys)
    }
    const { client: other } = await newUser()
    const path = `${tokens}/${tokenId}`
    expectRefusal(await other.send('GET', `${tokens}?userId=${id}`), 403, 'forbidden')
    expectRefusal(await other.send('DELETE', path), 404, 'token_not_found')
    expect(await client.send('DELETE', path)).toMatchObject({ status: 204, text: '' })
    expectRefusal(await client.send('DELETE', path), 404, 'token_not_found')
    const nobody = recording(createClient(floe.url))
    expectRefusal(await nobody.send('GET', tokens), 403, 'forbidden')
    expectRefusal(await nobody.send('POST', tokens, { json }), 403, 'forbidden')
  })

  describe('the own user', () => {
    test('says whether there is a password', async () => {
      const { account, client, id } = await newUser()
      const response = await send(client, 'getOwnUser')
      expect(response.status).toBe(200)
      expect(keysOf(response.body)).toEqual(ownUserKeys)
      const { email, username } = account
      expect(response.body).toEqual({
        ...{ id, email, username },
        ...{ hasPassword: true, isAdmin: false, totpVerified: false, showName: true },
        shareSizeLimit: null,
      })
      expectRefusal(await send(createClient(floe.url), 'getOwnUser'), 403, 'forbidden')
    })

    test('can be renamed, but not into somebody else', async () => {
      const [mine, theirs] = [await newUser(), await newUser()]
      const { email } = mine.account
      const { username } = newAccount()
      // As other clients send it: the address that the account has, and no password.
      const response = await send(mine.client, 'updateOwnUser', { email, username })
      expect(response.status).toBe(200)
      expect(keysOf(response.body)).toEqual(ownUserKeys)
      expect(response.body).toMatchObject({ id: mine.id, email, username })
      const change = (json: object) => send(mine.client, 'updateOwnUser', json)
      expectRefusal(await change({ username: theirs.account.username }), 400, 'username_taken')
      // What it does not name is dropped, rights and passwords above all.
      const greedy = await change({ isAdmin: true, password: 'taken over', id: theirs.id })
      expect(greedy.body).toMatchObject({ id: mine.id, isAdmin: false, email })
      await signIn(floe.url, { email, password: mine.account.password })
    })

    test('moves with the password, once the new address has confirmed it', async () => {
      const [mine, theirs] = [await newUser(), await newUser()]
      const { password } = mine.account
      const { email } = newAccount()
      const change = (json: object) => send(mine.client, 'updateOwnUser', json)
      expectRefusal(await change({ email }), 403, 'wrong_password')
      expectRefusal(await change({ email, password: 'wrong' }), 403, 'wrong_password')
      expectRefusal(await change({ email: theirs.account.email, password }), 400, 'email_taken')
      const response = await change({ email, password })
      expect(response.status).toBe(200)
      expect(keysOf(response.body)).toEqual([...ownUserKeys, 'pendingEmail'].sort())
      expect(response.body).toMatchObject({ email: mine.account.email, pendingEmail: email })

      const token = await readEmailToken(catcher, email)
      secrets.add(token)
      await catcher.waitForMessages(1, { to: mine.account.email })
      const reader = recording(createClient(floe.url))
      const confirmed = await send(reader, 'confirmEmail', { token })
      expect(confirmed).toMatchObject({ status: 204, text: '' })
      expectRefusal(await send(reader, 'confirmEmail', { token }), 400, 'invalid_reset_token')
      const own = await send(mine.client, 'getOwnUser')
      expect(keysOf(own.body)).toEqual(ownUserKeys)
      await signIn(floe.url, { email, password })
    })

    test('is sent no link to prove its address where none is asked for', async () => {
      const { client } = await newUser()
      const response = await send(client, 'requestEmailVerification')
      expect(response).toMatchObject({ status: 202, text: '' })
      const stranger = recording(createClient(floe.url))
      expectRefusal(await send(stranger, 'requestEmailVerification'), 403, 'forbidden')
    })

    test('is returned once more when it is deleted, and its cookies go', async () => {
      const { client, id } = await newUser()
      const response = await send(client, 'deleteOwnUser')
      expect(response.status).toBe(200)
      expect(response.body).toMatchObject({ id })
      expect(cookiesOf(response)).toEqual(['access_token', 'refresh_token'])
    })
  })

  describe('users, to administrators', () => {
    test('are a list', async () => {
      const { id } = await newUser()
      const response = await send(admin, 'listUsers')
      expect(response.status).toBe(200)
      const users = response.body as { id: string }[]
      expect(users.map((user) => user.id)).toContain(id)
      for (const user of users) expect(keysOf(user)).toEqual(managedUserKeys)
    })

    test('are created with a password', async () => {
      const account = newAccount()
      secrets.add(account.password)
      const response = await send(admin, 'createUser', { ...account, isAdmin: false })
      expect(response.status).toBe(201)
      expect(keysOf(response.body)).toEqual(managedUserKeys)
      expect(response.headers['set-cookie']).toBeUndefined()
      await signIn(floe.url, account)
      const again = { ...newAccount(), email: account.email }
      expectRefusal(await send(admin, 'createUser', again), 400, 'email_taken')
      const named = { ...newAccount(), username: account.username }
      expectRefusal(await send(admin, 'createUser', named), 400, 'username_taken')
      expectRefusal(await send(admin, 'createUser', {}), 400, 'validation_failed')
    })

    test('are invited by a message without one', async () => {
      const { email, username, password } = newAccount()
      const response = await send(admin, 'createUser', { email, username })
      expect(response.status).toBe(201)
      expect(response.body).toMatchObject({ email, username, isAdmin: false })
      const token = await readPasswordToken(catcher, email)
      secrets.add(token)
      const invited = createClient(floe.url)
      const set = await send(invited, 'resetPassword', { token, password })
      expect(set.status).toBe(200)
      expect(keysOf(set.body)).toEqual(tokenKeys)
      expect((await send(invited, 'getOwnUser')).body).toMatchObject({ email, username })
      await signIn(floe.url, { email, password })
    })

    test('are updated, also with a password', async () => {
      const { account, id } = await newUser()
      const { email, username, password } = newAccount()
      const json = { email, username, password, isAdmin: false }
      const response = await send(admin, 'updateUser', json, id)
      expect(response.status).toBe(200)
      expect(keysOf(response.body)).toEqual(managedUserKeys)
      expect(response.body).toMatchObject({ id, email, username })
      await signIn(floe.url, { email, password })
      const { account: other } = await newUser()
      const update = (change: object, who = id) => send(admin, 'updateUser', change, who)
      expectRefusal(await update({ email: other.email }), 400, 'email_taken')
      expectRefusal(await update({ username: other.username }), 400, 'username_taken')
      expectRefusal(await update({ isAdmin: true }, absentId), 400, 'user_not_found')
      expectRefusal(await update({ email: 'nobody' }), 400, 'validation_failed')
      const gone = await createClient(floe.url).send('POST', '/api/auth/signIn', { json: account })
      expect(gone.status).toBe(401)
    })

    test('are returned once more when they are deleted', async () => {
      const { id } = await newUser()
      const response = await send(admin, 'deleteUser', undefined, id)
      expect(response.status).toBe(200)
      expect(keysOf(response.body)).toEqual(managedUserKeys)
      expectRefusal(await send(admin, 'deleteUser', undefined, id), 400, 'user_not_found')
    })

    test('keep their last administrator', async () => {
      const { id } = (await send(admin, 'getOwnUser')).body as { id: string }
      const users = (await send(admin, 'listUsers')).body as { id: string; isAdmin: boolean }[]
      // Other files leave some behind.
      for (const other of users.filter((user) => user.isAdmin && user.id !== id)) {
        await send(admin, 'updateUser', { isAdmin: false }, other.id)
      }
      expectRefusal(await send(admin, 'updateUser', { isAdmin: false }, id), 400, 'last_admin')
      expectRefusal(await send(admin, 'deleteUser', undefined, id), 400, 'last_admin')
      expectRefusal(await send(admin, 'deleteOwnUser'), 400, 'last_admin')
    })

    test('are nobody else’s business', async () => {
      const { client, id } = await newUser()
      for (const caller of [client, recording(createClient(floe.url))]) {
        expectRefusal(await send(caller, 'listUsers'), 403, 'forbidden')
        expectRefusal(await send(caller, 'createUser', newAccount()), 403, 'forbidden')
        const promotion = await send(caller, 'updateUser', { isAdmin: true }, id)
        expectRefusal(promotion, 403, 'forbidden')
        expectRefusal(await send(caller, 'deleteUser', undefined, id), 403, 'forbidden')
      }
    })
  })

  test('a user cannot be invited while nobody can send mail', async () => {
    await changeSettings(admin, [{ key: 'smtp.enabled', value: false }])
    try {
      const { email, username } = newAccount()
      const invite = () => send(admin, 'createUser', { email, username })
      await expect.poll(async () => codeOf(await invite())).toBe('smtp_disabled')
      expectRefusal(await invite(), 400, 'smtp_disabled')
      const users = (await send(admin, 'listUsers')).body as { email: string }[]
      expect(users.map((user) => user.email)).not.toContain(email)
    } finally {
      await sendMailsTo(catcher, admin)
    }
  })

  test('settings give away no secret, neither to the administrator nor in the page', async () => {
    for (const category of ['smtp', 'oauth']) {
      const response = await admin.send('GET', `/api/configs/admin/${category}`)
      expect(response.status).toBe(200)
    }
    const pages = ['/', '/account', '/auth/signIn', '/admin', '/admin/config/smtp']
    for (const path of [...pages, '/api/configs']) {
      for (const client of [admin, recording(createClient(floe.url))]) {
        expect((await client.send('GET', path)).status).toBe(200)
      }
    }
  })
})

const absentId = '00000000-0000-4000-8000-000000000000'

describe('all of these responses', () => {
  test('came from every route', () => {
    // There is no directory here: what it tells is in tests that have one.
    const { tryDirectory: _, ...ofAccounts } = authRoutes
    const missing = Object.values({ ...ofAccounts, ...tokenRoutes }).filter(({ method, path }) => {
      const pattern = new RegExp(`^${method.toUpperCase()} ${path.replace(/:\w+/, '[^/]+')}$`)
      return ![...seen].some((what) => pattern.test(what))
    })
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  test('hold no hash and no secret', () => {
    expect(noted.length).toBeGreaterThan(100)
    for (const secret of secrets) expect(secret.length).toBeGreaterThan(6)
    const found = noted.filter(({ text }) => [...secrets].some((secret) => text.includes(secret)))
    expect(found.map(({ what }) => what)).toEqual([])
  })
})
