import { type SmtpCatcher, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, newAccount, signIn, signInAsAdmin, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { readPasswordToken, requestPasswordReset, sendMailsTo, sendNoMails } from './world/mail.ts'
import { copyOf, expectEnded, expectSignedIn, holderOf, me, renew } from './world/sessions.ts'
import { codeOf } from './world/shares.ts'
import { beginSignIn, enrolTotp, finishSignIn, totpCode } from './world/totp.ts'

interface Session {
  id: string
  isCurrent: boolean
}

onOneArrangement('split', 'a held session', (floe) => {
  let admin: Client
  let catcher: SmtpCatcher
  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
    catcher = await startSmtpCatcher()
    await sendMailsTo(catcher, admin)
  })
  afterAll(async () => {
    await sendNoMails(admin)
    await catcher.stop()
  })

  interface User {
    account: Account
    id: string
    /** Two browsers, both signed in, and copies of what each holds. */
    here: Client
    elsewhere: Client
    held: Client[]
  }

  async function newUser(): Promise<User> {
    const account = newAccount()
    const here = await signUp(floe, account)
    const elsewhere = await signIn(floe.url, account)
    const { id } = (await me(here)).body as { id: string }
    const held = [copyOf(here), copyOf(elsewhere)]
    for (const copy of held) await expectSignedIn(copy)
    return { account, id, here, elsewhere, held }
  }

  const sessionsOf = async (client: Client) =>
    (await client.send('GET', '/api/auth/sessions')).body as Session[]

  test('ends with signing out, and no other does', async () => {
    const { here, elsewhere, held } = await newUser()
    expect((await here.send('POST', '/api/auth/signOut')).status).toBe(201)
    await expectEnded(held[0] as Client)
    await expectSignedIn(elsewhere)
  })

  test('ends with signing out although the access token is lost or long over', async () => {
    const { here, held } = await newUser()
    const leaving = holderOf(here.cookies.get('refresh_token'), floe)
    leaving.cookies.set('refresh_token', here.cookies.get('refresh_token') ?? '')
    expect((await leaving.send('POST', '/api/auth/signOut')).status).toBe(201)
    await expectEnded(held[0] as Client)
  })

  test('ends elsewhere with a new password, and here what was held before does', async () => {
    const { account, here, held } = await newUser()
    const json = { oldPassword: account.password, password: 'another password' }
    expect((await here.send('PATCH', '/api/auth/password', { json })).status).toBe(200)
    for (const [index, client] of held.entries()) await expectEnded(client, `holder ${index}`)
    await expectSignedIn(here)
    expect((await renew(here)).status).toBe(200)
  })

  test('ends everywhere with a reset, half a sign-in and other links too', async () => {
    const { account, here, held } = await newUser()
    await requestPasswordReset(floe.url, account.email)
    const other = await readPasswordToken(catcher, account.email)
    await requestPasswordReset(floe.url, account.email)
    await catcher.waitForMessages(2, { to: account.email })
    const token = await readPasswordToken(catcher, account.email)
    const secret = await enrolTotp(here, account)
    const half = await beginSignIn(floe.url, account)

    const reset = (link: string, password: string) =>
      createClient(floe.url).send('POST', '/api/auth/resetPassword', {
        json: { token: link, password },
      })
    expect((await reset(token, 'another password')).status).toBe(204)
    for (const copy of held) await expectEnded(copy)
    expect((await finishSignIn(half, totpCode(secret, 1))).status).toBe(401)
    for (const link of [token, other]) {
      expect(codeOf(await reset(link, 'a third password'))).toBe('invalid_reset_token')
    }
    const old = await createClient(floe.url).send('POST', '/api/auth/signIn', { json: account })
    expect(old.status).toBe(401)
    const renewed = { ...account, password: 'another password' }
    const step = await beginSignIn(floe.url, renewed)
    expect((await finishSignIn(step, totpCode(secret, 1))).status).toBe(200)
  })

  test('ends everywhere when an administrator sets the password', async () => {
    const { account, id, held } = await newUser()
    const password = 'chosen by somebody'
    expect((await admin.send('PATCH', `/api/users/${id}`, { json: { password } })).status).toBe(200)
    for (const copy of held) await expectEnded(copy)
    await signIn(floe.url, { ...account, password })
  })

  test('ends with the loss of the rights it had, and not with getting them', async () => {
    const { account, id, here, held } = await newUser()
    const setAdmin = (isAdmin: boolean) =>
      admin.send('PATCH', `/api/users/${id}`, { json: { isAdmin } })
    expect((await setAdmin(true)).status).toBe(200)
    expect((await here.send('GET', '/api/users')).status).toBe(200)
    expect((await setAdmin(false)).status).toBe(200)
    expect((await here.send('GET', '/api/users')).status).toBe(403)
    for (const copy of held) await expectEnded(copy)
    const again = await signIn(floe.url, account)
    expect((await again.send('GET', '/api/users')).status).toBe(403)
  })

  test.each([
    ['its user', ({ here }: User) => here.send('DELETE', '/api/users/me')],
    ['an administrator', ({ id }: User) => admin.send('DELETE', `/api/users/${id}`)],
  ])('ends with its account when %s deletes it', async (_who, remove) => {
    const user = await newUser()
    expect((await remove(user)).status).toBe(200)
    for (const copy of user.held) await expectEnded(copy)
    const again = await createClient(floe.url).send('POST', '/api/auth/signIn', {
      json: user.account,
    })
    expect(again.status).toBe(401)
  })

  describe('in the list of devices', () => {
    test('ends when it is signed out there, and no other does', async () => {
      const { here, elsewhere, held } = await newUser()
      const sessions = await sessionsOf(here)
      expect(sessions).toHaveLength(2)
      expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
      const other = sessions.find(({ isCurrent }) => !isCurrent)
      const ended = await here.send('DELETE', `/api/auth/sessions/${other?.id}`)
      expect(ended).toMatchObject({ status: 204, text: '' })
      await expectEnded(held[1] as Client)
      await expectEnded(elsewhere)
      await expectSignedIn(here)
      expect(await sessionsOf(here)).toHaveLength(1)
      const again = await here.send('DELETE', `/api/auth/sessions/${other?.id}`)
      expect(again.status).toBe(404)
      expect(codeOf(again)).toBe('session_not_found')
    })

    test('ends together with all others, this one too', async () => {
      const { here, held } = await newUser()
      expect((await here.send('DELETE', '/api/auth/sessions')).status).toBe(204)
      for (const copy of held) await expectEnded(copy)
    })

    test("is not found in another user's list", async () => {
      const [mine, theirs] = [await newUser(), await newUser()]
      for (const { id } of await sessionsOf(theirs.here)) {
        const response = await mine.here.send('DELETE', `/api/auth/sessions/${id}`)
        expect(response.status).toBe(404)
        expect(codeOf(response)).toBe('session_not_found')
      }
      for (const copy of theirs.held) await expectSignedIn(copy)
    })
  })

  describe('and its refresh tokens', () => {
    const held = (client: Client) => client.cookies.get('refresh_token')

    test('ends when one comes back after its successor was replaced', async () => {
      const { here, elsewhere } = await newUser()
      const first = held(here)
      expect((await renew(here)).status).toBe(200)
      expect((await renew(here)).status).toBe(200)
      expect(new Set([first, held(here)]).size).toBe(2)

      expect((await renew(holderOf(first, floe))).status).toBe(401)
      await expectEnded(here, 'the newest of the family')
      await expectSignedIn(elsewhere, 'another session of the user')
      expect((await renew(elsewhere)).status).toBe(200)
    })

    test('ends for the thief too when the owner is the one who comes back', async () => {
      const { here } = await newUser()
      const thief = copyOf(here)
      expect((await renew(thief)).status).toBe(200)
      expect((await renew(thief)).status).toBe(200)
      expect((await renew(here)).status).toBe(401)
      await expectEnded(thief)
    })

    test('stays with two tabs that renew at once, again and again', async () => {
      const { here } = await newUser()
      const tabs = [here, copyOf(here)]
      for (let turn = 0; turn < 3; turn += 1) {
        const responses = await Promise.all(tabs.map(renew))
        expect(responses.map(({ status }) => status)).toEqual([200, 200])
        for (const tab of tabs) await expectSignedIn(tab)
        // A browser has one cookie jar: whichever response came last is what both tabs hold.
        tabs[1] = copyOf(here)
      }
    })

    test('stays with two tabs that each go on with what they were given', async () => {
      const { here } = await newUser()
      const tab = copyOf(here)
      await Promise.all([renew(here), renew(tab)])
      expect((await renew(tab)).status).toBe(200)
      expect((await renew(here)).status).toBe(200)
      for (const client of [here, tab]) await expectSignedIn(client)
    })
  })
})
