import { describe, expect, test } from 'vitest'
import { newAccount, signIn, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { codeOf, keysOf } from './world/shares.ts'
import {
  beginSignIn,
  enrolTotp,
  enrolWithCode,
  finishSignIn,
  totpCode,
  wrongTotpCode,
} from './world/totp.ts'

onOneArrangement('embedded', 'TOTP', (floe) => {
  const me = (client: Client) => client.send('GET', '/api/users/me')

  /** A new account with TOTP switched on by the code of now. */
  async function newEnrolment() {
    const account = newAccount()
    const owner = await signUp(floe, account)
    return { account, owner, secret: await enrolTotp(owner, account) }
  }

  async function newRecoveryCodes(owner: Client, password: string): Promise<string[]> {
    const response = await owner.send('POST', '/api/auth/totp/recoveryCodes', {
      json: { password },
    })
    expect(response.status, response.text).toBe(201)
    return (response.body as { recoveryCodes: string[] }).recoveryCodes
  }

  describe('setting it up', () => {
    test('responds with a secret, its address and a picture, and counts once a code was verified', async () => {
      const account = newAccount()
      const { password } = account
      const owner = await signUp(floe, account)
      const enabled = await owner.send('POST', '/api/auth/totp/enable', { json: { password } })
      expect(enabled.status).toBe(201)
      const enrolment = enabled.body as Record<'totpAuthUrl' | 'totpSecret' | 'qrCode', string>
      expect(keysOf(enrolment)).toEqual(['qrCode', 'totpAuthUrl', 'totpSecret'])
      expect(enrolment.totpSecret).toMatch(/^[A-Z2-7]{16,}$/)
      const url = new URL(enrolment.totpAuthUrl)
      expect(url.href).toMatch(/^otpauth:\/\/totp\//)
      expect(url.searchParams.get('secret')).toBe(enrolment.totpSecret)
      expect(enrolment.qrCode).toMatch(/^data:image\/svg\+xml;base64,/)

      // Not verified yet: signing in has one step.
      await signIn(floe.url, account)
      expect((await me(owner)).body).toMatchObject({ totpVerified: false })
      const verified = await owner.send('POST', '/api/auth/totp/verify', {
        json: { password, code: totpCode(enrolment.totpSecret) },
      })
      expect(verified).toMatchObject({ status: 201, body: true })
      expect((await me(owner)).body).toMatchObject({ totpVerified: true })
    })

    test('needs the password each time', async () => {
      const account = newAccount()
      const owner = await signUp(floe, account)
      const send = (step: string, json: object) =>
        owner.send('POST', `/api/auth/totp/${step}`, { json })
      const refusal = { status: 403, body: { error: 'wrong_password' } }
      expect(await send('enable', { password: 'wrong' })).toMatchObject(refusal)
      expect(await send('enable', {})).toMatchObject(refusal)
      const enabled = await send('enable', { password: account.password })
      const { totpSecret } = enabled.body as { totpSecret: string }
      const code = totpCode(totpSecret)
      expect(await send('verify', { password: 'wrong', code })).toMatchObject(refusal)
      expect(await send('verify', { code })).toMatchObject(refusal)
      expect((await send('verify', { password: account.password, code })).status).toBe(201)
      const next = totpCode(totpSecret, 1)
      expect(await send('disable', { password: 'wrong', code: next })).toMatchObject(refusal)
      expect(await send('recoveryCodes', { password: 'wrong' })).toMatchObject(refusal)
      expect(await send('recoveryCodes', {})).toMatchObject(refusal)
    })

    test('refuses what is out of order', async () => {
      const account = newAccount()
      const { password } = account
      const owner = await signUp(floe, account)
      const send = async (step: string, json: object) =>
        codeOf(await owner.send('POST', `/api/auth/totp/${step}`, { json: { password, ...json } }))
      expect(await send('verify', { code: '123456' })).toBe('totp_not_in_progress')
      expect(await send('disable', { code: '123456' })).toBe('totp_not_enabled')
      expect(await send('recoveryCodes', {})).toBe('totp_not_enabled')
      const secret = await enrolTotp(owner, account)
      expect(await send('enable', {})).toBe('totp_already_enabled')
      expect(await send('verify', { code: totpCode(secret, 1) })).toBe('totp_not_in_progress')
    })

    test('goes on with the newest secret when it was begun twice', async () => {
      const account = newAccount()
      const { password } = account
      const owner = await signUp(floe, account)
      const enable = async () => {
        const response = await owner.send('POST', '/api/auth/totp/enable', { json: { password } })
        return (response.body as { totpSecret: string }).totpSecret
      }
      const [first, second] = [await enable(), await enable()]
      expect(first).not.toBe(second)
      const verify = (code: string) =>
        owner.send('POST', '/api/auth/totp/verify', { json: { password, code } })
      expect(codeOf(await verify(wrongTotpCode(second)))).toBe('invalid_totp')
      expect((await verify(totpCode(second))).status).toBe(201)
    })
  })

  describe('signing in', () => {
    test('takes a password, then a code, and sets no cookie before both', async () => {
      const { account, secret } = await newEnrolment()
      const step = await beginSignIn(floe.url, account)
      expect(step.client.cookies.names()).toEqual([])
      expect((await me(step.client)).status).toBe(403)
      const response = await finishSignIn(step, totpCode(secret, 1))
      expect(response.status, response.text).toBe(200)
      expect(keysOf(response.body)).toEqual(['accessToken', 'refreshToken'])
      expect((await me(step.client)).body).toMatchObject({ email: account.email })
    })

    test('takes no code twice, not even the one that set it up', async () => {
      const account = newAccount()
      const { secret, code: used } = await enrolWithCode(await signUp(floe, account), account)
      const first = await beginSignIn(floe.url, account)
      const next = totpCode(secret, 1)
      expect(codeOf(await finishSignIn(first, used))).toBe('invalid_totp')
      expect((await finishSignIn(first, next)).status).toBe(200)
      const second = await beginSignIn(floe.url, account)
      expect(codeOf(await finishSignIn(second, next))).toBe('invalid_totp')
      expect(codeOf(await finishSignIn(second, used))).toBe('invalid_totp')
    })

    test('takes a code once also when it is sent ten times at once', async () => {
      const { account, secret } = await newEnrolment()
      const steps = await Promise.all(
        Array.from({ length: 10 }, () => beginSignIn(floe.url, account)),
      )
      const code = totpCode(secret, 1)
      const responses = await Promise.all(steps.map((step) => finishSignIn(step, code)))
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    test('does not take codes from further than a step away', async () => {
      const { account, secret } = await newEnrolment()
      const step = await beginSignIn(floe.url, account)
      for (const steps of [-3, 3]) {
        const response = await finishSignIn(step, totpCode(secret, steps))
        expect(response.status).toBe(400)
        expect(codeOf(response)).toBe('invalid_totp')
      }
    })

    test('takes a login token once', async () => {
      const { account, owner, secret } = await newEnrolment()
      const [recovery = ''] = await newRecoveryCodes(owner, account.password)
      const step = await beginSignIn(floe.url, account)
      expect((await finishSignIn(step, totpCode(secret, 1))).status).toBe(200)
      const again = await finishSignIn({ ...step, client: createClient(floe.url) }, recovery)
      expect(again.status).toBe(401)
      expect(codeOf(again)).toBe('unauthorized')
    })

    test('ends a login token with its fifth wrong code, and another one still works', async () => {
      const { account, secret } = await newEnrolment()
      const step = await beginSignIn(floe.url, account)
      for (let turn = 0; turn < 5; turn += 1) {
        expect(codeOf(await finishSignIn(step, wrongTotpCode(secret)))).toBe('invalid_totp')
      }
      expect(await finishSignIn(step, totpCode(secret, 1))).toMatchObject({ status: 401 })
      const another = await beginSignIn(floe.url, account)
      expect((await finishSignIn(another, totpCode(secret, 1))).status).toBe(200)
    })

    test('does not tell a made-up login token from a used one', async () => {
      const { account, secret } = await newEnrolment()
      const step = await beginSignIn(floe.url, account)
      await finishSignIn(step, totpCode(secret, 1))
      const client = createClient(floe.url)
      const responses = await Promise.all(
        [step.loginToken, 'A'.repeat(43), 'x'].map((loginToken) =>
          finishSignIn({ client, loginToken }, '123456'),
        ),
      )
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(responses[0]?.status).toBe(401)
    })
  })

  describe('recovery codes', () => {
    test('are ten, each signs in once, however it is typed', async () => {
      const { account, owner } = await newEnrolment()
      const codes = await newRecoveryCodes(owner, account.password)
      expect(new Set(codes).size).toBe(10)
      for (const code of codes) expect(code).toMatch(/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/)
      const [first = '', second = '', third = ''] = codes
      for (const typed of [first, second.toUpperCase(), ` ${third.replaceAll('-', '')} `]) {
        const step = await beginSignIn(floe.url, account)
        expect((await finishSignIn(step, typed)).status, typed).toBe(200)
      }
      for (const typed of [first, second, third, 'aaaa-aaaa-aaaa-aaaa']) {
        const step = await beginSignIn(floe.url, account)
        const refused = await finishSignIn(step, typed)
        expect(refused.status, typed).toBe(400)
        expect(codeOf(refused)).toBe('invalid_totp')
      }
    })

    test('one opens one of ten simultaneous sign-ins', async () => {
      const { account, owner } = await newEnrolment()
      const [code = ''] = await newRecoveryCodes(owner, account.password)
      const steps = await Promise.all(
        Array.from({ length: 10 }, () => beginSignIn(floe.url, account)),
      )
      const responses = await Promise.all(steps.map((step) => finishSignIn(step, code)))
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    test('are replaced together, and only with the authenticator', async () => {
      const { account, owner, secret } = await newEnrolment()
      const { password } = account
      const [old = ''] = await newRecoveryCodes(owner, password)
      const renew = (json: object) =>
        owner.send('POST', '/api/auth/totp/recoveryCodes', { json: { password, ...json } })
      expect(codeOf(await renew({}))).toBe('invalid_totp')
      expect(codeOf(await renew({ code: wrongTotpCode(secret) }))).toBe('invalid_totp')
      const renewed = await renew({ code: totpCode(secret, 1) })
      expect(renewed.status).toBe(201)
      const [fresh = ''] = (renewed.body as { recoveryCodes: string[] }).recoveryCodes
      expect(codeOf(await finishSignIn(await beginSignIn(floe.url, account), old))).toBe(
        'invalid_totp',
      )
      expect((await finishSignIn(await beginSignIn(floe.url, account), fresh)).status).toBe(200)
    })

    test('take TOTP away from an account whose authenticator is lost', async () => {
      const { account, owner } = await newEnrolment()
      const { password } = account
      const [code = '', other = ''] = await newRecoveryCodes(owner, password)
      const disabled = await owner.send('POST', '/api/auth/totp/disable', {
        json: { password, code },
      })
      expect(disabled).toMatchObject({ status: 201, body: true })
      await signIn(floe.url, account)
      await enrolTotp(owner, account)
      // The codes of before went with it.
      const step = await beginSignIn(floe.url, account)
      expect(codeOf(await finishSignIn(step, other))).toBe('invalid_totp')
    })
  })

  test('switched off, it is asked for no more', async () => {
    const { account, owner, secret } = await newEnrolment()
    const { password } = account
    const disable = (code: string) =>
      owner.send('POST', '/api/auth/totp/disable', { json: { password, code } })
    const pending = await beginSignIn(floe.url, account)
    expect(codeOf(await disable(wrongTotpCode(secret)))).toBe('invalid_totp')
    expect(await disable(totpCode(secret, 1))).toMatchObject({ status: 201, body: true })
    expect((await me(owner)).body).toMatchObject({ totpVerified: false })
    await signIn(floe.url, account)
    const late = await finishSignIn(pending, totpCode(secret, 1))
    expect(late.status).toBeGreaterThanOrEqual(400)
    expect(late.status).toBeLessThan(500)
  })

  describe('a login token', () => {
    test('is neither a refresh token nor a link to a new password', async () => {
      const { account, secret } = await newEnrolment()
      const step = await beginSignIn(floe.url, account)
      const thief = createClient(floe.url)
      thief.cookies.set('refresh_token', step.loginToken)
      expect((await thief.send('POST', '/api/auth/token')).status).toBe(401)
      const reset = await thief.send('POST', '/api/auth/resetPassword', {
        json: { token: step.loginToken, password: 'a password of mine' },
      })
      expect(reset.status).toBe(400)
      expect(codeOf(reset)).toBe('invalid_reset_token')
      expect((await finishSignIn(step, totpCode(secret, 1))).status).toBe(200)
    })

    test('is the only thing that opens its route', async () => {
      const { account, owner, secret } = await newEnrolment()
      await beginSignIn(floe.url, account)
      const held = ['access_token', 'refresh_token', 'device'].map(
        (name) => owner.cookies.get(name) ?? '',
      )
      for (const loginToken of held) {
        const response = await owner.send('POST', '/api/auth/signIn/totp', {
          json: { totp: totpCode(secret, 1), loginToken },
        })
        expect([400, 401]).toContain(response.status)
        expect(response.headers['set-cookie']).toBeUndefined()
      }
    })
  })
})
