import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Account, newAccount, signIn, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type HttpResponse, createClient, newLocalAddress } from './world/http-client.ts'
import { requestPasswordReset } from './world/mail.ts'
import { openShare, publishShare } from './world/shares.ts'
import { beginSignIn, enrolTotp, finishSignIn, totpCode, wrongTotpCode } from './world/totp.ts'

const freeAttempts = 10

// Elsewhere than on Linux every client has the same address.
describe.runIf(process.platform === 'linux')('attempts', () => {
  onOneArrangement('split', 'at a password', (floe) => {
    /** Attempts from one address, one after another, each by a browser without cookies. */
    async function guess(
      identity: Partial<Account>,
      { localAddress = newLocalAddress(), times = freeAttempts + 2 } = {},
    ): Promise<HttpResponse[]> {
      const responses: HttpResponse[] = []
      for (let turn = 0; turn < times; turn += 1) {
        const json = { ...identity, password: `guess ${turn}` }
        const attacker = createClient(floe.url, { localAddress })
        responses.push(await attacker.send('POST', '/api/auth/signIn', { json }))
      }
      return responses
    }

    const statusesOf = (responses: readonly HttpResponse[]) => responses.map(({ status }) => status)
    const refusedAfterTen = [...Array<number>(freeAttempts).fill(401), 429, 429]

    function expectTooMany(response: HttpResponse, limit: number): void {
      expect(response.status).toBe(429)
      expect(response.body).toEqual({
        statusCode: 429,
        message: 'ThrottlerException: Too Many Requests',
      })
      const { headers } = response
      expect(headers['x-error-code']).toBe('too_many_requests')
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(headers['x-ratelimit-limit'])).toBe(limit)
      expect(Number(headers['x-ratelimit-remaining'])).toBe(0)
      expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(0)
    }

    test('a thousand, from twenty addresses, are refused, and the owner signs in at another', async () => {
      const account = newAccount()
      const { email } = account
      await signUp(floe, account)
      const addresses = Array.from({ length: 20 }, () => newLocalAddress())
      const attacks = addresses.map(async (localAddress) => {
        const responses = await guess({ email }, { localAddress })
        expect(statusesOf(responses)).toEqual(refusedAfterTen)
        const rest = Array.from({ length: 38 }, () => guess({ email }, { localAddress, times: 1 }))
        return [...responses, ...(await Promise.all(rest)).flat()]
      })
      const responses = (await Promise.all(attacks)).flat()
      expect(responses).toHaveLength(1_000)
      expect(responses.filter(({ status }) => status === 401)).toHaveLength(20 * freeAttempts)
      expectTooMany(responses.at(-1) as HttpResponse, freeAttempts)

      const owner = createClient(floe.url)
      const entered = await owner.send('POST', '/api/auth/signIn', { json: account })
      expect(entered.status, entered.text).toBe(200)
      // The right password is no way to go on guessing from where it was guessed.
      const attacker = createClient(floe.url, { localAddress: addresses[0] })
      expectTooMany(
        await attacker.send('POST', '/api/auth/signIn', { json: account }),
        freeAttempts,
      )
    })

    test('from the address of the owner leave the browser open that was there before', async () => {
      const account = newAccount()
      const localAddress = newLocalAddress()
      const browser = createClient(floe.url, { localAddress })
      await browser.send('POST', '/api/auth/signUp', { json: account })
      await browser.send('POST', '/api/auth/signOut')
      // All that one address may do, on this account and on others.
      expect(statusesOf(await guess(account, { localAddress }))).toEqual(refusedAfterTen)
      for (let other = 0; other < 4; other += 1) {
        await guess(newAccount(), { localAddress, times: freeAttempts })
      }
      const stranger = createClient(floe.url, { localAddress })
      expect((await stranger.send('POST', '/api/auth/signIn', { json: account })).status).toBe(429)

      const entered = await browser.send('POST', '/api/auth/signIn', { json: account })
      expect(entered.status, entered.text).toBe(200)
    })

    test('in a browser that was there before are limited too, and that cookie is worth nothing elsewhere', async () => {
      const [mine, theirs] = [newAccount(), newAccount()]
      await signUp(floe, theirs)
      const thief = await signUp(floe, mine)
      const attempt = async (account: Account) =>
        (await thief.send('POST', '/api/auth/signIn', { json: { ...account, password: 'guess' } }))
          .status
      const statuses: number[] = []
      for (let turn = 0; turn < freeAttempts + 2; turn += 1) statuses.push(await attempt(mine))
      expect(statuses).toEqual(refusedAfterTen)
      const onTheirs: number[] = []
      for (let turn = 0; turn < freeAttempts + 2; turn += 1) onTheirs.push(await attempt(theirs))
      expect(onTheirs).toEqual(refusedAfterTen)
    })

    test('count alike for accounts there are and accounts there are not', async () => {
      const account = newAccount()
      await signUp(floe, account)
      const [known, unknown] = await Promise.all([
        guess({ email: account.email }),
        guess({ email: newAccount().email }),
      ])
      expect(statusesOf(known)).toEqual(statusesOf(unknown))
      expect(known.map(({ text }) => text)).toEqual(unknown.map(({ text }) => text))
    })

    test('are not counted when they are right', async () => {
      const account = newAccount()
      const localAddress = newLocalAddress()
      await signUp(floe, account)
      for (let turn = 0; turn < freeAttempts + 5; turn += 1) {
        const client = createClient(floe.url, { localAddress })
        const entered = await client.send('POST', '/api/auth/signIn', { json: account })
        expect(entered.status, entered.text).toBe(200)
      }
    })

    test('sent all at once are not let through before the first has failed', async () => {
      const account = newAccount()
      const localAddress = newLocalAddress()
      await signUp(floe, account)
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          createClient(floe.url, { localAddress }).send('POST', '/api/auth/signIn', {
            json: { ...account, password: `guess ${index}` },
          }),
        ),
      )
      const tried = responses.filter(({ status }) => status === 401)
      // A few are under way together when the limit is reached.
      expect(tried.length).toBeGreaterThanOrEqual(freeAttempts)
      expect(tried.length).toBeLessThan(freeAttempts + 5)
      expect(statusesOf(responses).filter((status) => status === 429)).toHaveLength(
        60 - tried.length,
      )
    })

    test('are counted by the connection, whatever a header says of it', async () => {
      const account = newAccount()
      const localAddress = newLocalAddress()
      await signUp(floe, account)
      const statuses: number[] = []
      for (let turn = 0; turn < freeAttempts + 2; turn += 1) {
        const forged = `198.51.100.${randomInt(256)}`
        const response = await createClient(floe.url, { localAddress }).send(
          'POST',
          '/api/auth/signIn',
          {
            json: { ...account, password: 'guess' },
            headers: { 'X-Forwarded-For': forged, 'X-Real-IP': forged, Forwarded: `for=${forged}` },
          },
        )
        statuses.push(response.status)
      }
      expect(statuses).toEqual(refusedAfterTen)
    })

    test('to confirm a change are limited for the holder of the session', async () => {
      const account = newAccount()
      const holder = await signUp(floe, account)
      const confirm = async (password: string, client = holder) =>
        (await client.send('POST', '/api/auth/totp/enable', { json: { password } })).status
      const statuses: number[] = []
      for (let turn = 0; turn < freeAttempts + 2; turn += 1) statuses.push(await confirm('guess'))
      expect(statuses).toEqual([...Array<number>(freeAttempts).fill(403), 429, 429])
      expect(await confirm(account.password)).toBe(429)
      // In another session the owner is not kept from anything.
      expect(await confirm(account.password, await signIn(floe.url, account))).toBe(201)
    })

    test('of a second step end at thirty wrong codes, and a recovery code still opens it', async () => {
      const account = newAccount()
      const owner = await signUp(floe, account)
      const secret = await enrolTotp(owner, account)
      const codes = await owner.send('POST', '/api/auth/totp/recoveryCodes', {
        json: { password: account.password },
      })
      const [recovery = ''] = (codes.body as { recoveryCodes: string[] }).recoveryCodes
      const statuses: number[] = []
      for (let token = 0; token < 7; token += 1) {
        const step = await beginSignIn(floe.url, account)
        for (let turn = 0; turn < 5; turn += 1) {
          statuses.push((await finishSignIn(step, wrongTotpCode(secret))).status)
        }
      }
      expect(statuses.slice(0, 30)).toEqual(Array<number>(30).fill(400))
      expect(statuses.slice(30)).toEqual(Array<number>(5).fill(429))
      const step = await beginSignIn(floe.url, account)
      expect((await finishSignIn(step, totpCode(secret, 1))).status).toBe(429)
      expect((await finishSignIn(step, recovery)).status).toBe(200)
    })

    test('of a share are limited for one address and leave others alone', async () => {
      const owner = await signUp(floe)
      const security = { password: 'open sesame' }
      const { id } = await publishShare(owner, { 'a.txt': 'a' }, { security })
      const localAddress = newLocalAddress()
      const statuses: number[] = []
      for (let turn = 0; turn < 22; turn += 1) {
        const visitor = createClient(floe.url, { localAddress })
        statuses.push((await openShare(visitor, id, `guess ${turn}`)).status)
      }
      expect(statuses).toEqual([...Array<number>(20).fill(403), 429, 429])
      expect((await openShare(createClient(floe.url), id, security.password)).status).toBe(200)
    })
  })

  onOneArrangement('split', 'to reset a password', (floe) => {
    test('are limited for one address', async () => {
      const localAddress = newLocalAddress()
      const statuses: number[] = []
      for (let turn = 0; turn < 22; turn += 1) {
        const client = createClient(floe.url, { localAddress })
        const path = `/api/auth/resetPassword/${newAccount().email}`
        statuses.push((await client.send('POST', path)).status)
      }
      expect(statuses).toEqual([...Array<number>(20).fill(202), 429, 429])
      await requestPasswordReset(floe.url, newAccount().email)
    })

    test('by a made-up link are limited for one address', async () => {
      const localAddress = newLocalAddress()
      const statuses: number[] = []
      for (let turn = 0; turn < 22; turn += 1) {
        const client = createClient(floe.url, { localAddress })
        const json = { token: `guess-${turn}`, password: 'another password' }
        statuses.push((await client.send('POST', '/api/auth/resetPassword', { json })).status)
      }
      expect(statuses).toEqual([...Array<number>(20).fill(400), 429, 429])
    })
  })
})
