import { randomUUID } from 'node:crypto'
import { type RouteName, routes } from '@floe/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { newAccount, signIn, signUp } from '../world/accounts.ts'
import { onOneArrangement } from '../world/arrangements.ts'
import {
  type HttpResponse,
  type Client,
  createClient,
  newLocalAddress,
} from '../world/http-client.ts'
import { computedMs, findProcesses } from '../world/processes.ts'
import { expectRefusal } from '../world/refusals.ts'
import { callRoute } from '../world/route-calls.ts'
import { copyOf, me, renew } from '../world/sessions.ts'
import { openShare, publishShare } from '../world/shares.ts'
import { beginSignIn, enrolTotp } from '../world/totp.ts'

const names = Object.keys(routes) as RouteName[]
const freeAttempts = 10

onOneArrangement('embedded', 'guessing, counting and identity', (floe) => {
  async function guess(
    email: string,
    times: number,
    headers: (turn: number) => Record<string, string> = () => ({}),
  ): Promise<number[]> {
    const localAddress = newLocalAddress()
    const statuses: number[] = []
    for (let turn = 0; turn < times; turn += 1) {
      const attacker = createClient(floe.url, { localAddress })
      const json = { email, password: `guess ${turn}` }
      const options = { json, headers: headers(turn) }
      statuses.push((await attacker.send('POST', '/api/auth/signIn', options)).status)
    }
    return statuses
  }
  const refusedAfterTen = [...Array<number>(freeAttempts).fill(401), 429, 429]

  test.each([
    ['CVE-2025-51663', 'X-Real-IP'],
    ['transfer.sh#670', 'X-Forwarded-For'],
    ['skysend#2.5.0', 'CF-Connecting-IP'],
  ])('%s: %s from anybody is not where they are', async (_id, name) => {
    const account = newAccount()
    await signUp(floe, account)
    const forged = (turn: number) => ({
      [name]: `203.0.113.${turn}`,
      Forwarded: `for=203.0.113.${turn}`,
    })
    expect(await guess(account.email, freeAttempts + 2, forged)).toEqual(refusedAfterTen)
    const client = createClient(floe.url)
    await client.send('POST', '/api/auth/signIn', { json: account, headers: forged(1) })
    const { text } = await client.send('GET', '/api/auth/sessions')
    expect(text).toContain('127.')
    expect(text).not.toContain('203.0.113.')
  })

  test('CVE-2021-41177: attempts are counted where all processes see them, set up or not', async () => {
    const account = newAccount()
    await signUp(floe, account)
    expect(await guess(account.email, freeAttempts + 2)).toEqual(refusedAfterTen)
  })

  test('CVE-2022-31118: guessing the password of a share ends for every guesser', async () => {
    const security = { password: 'open sesame' }
    const { id } = await publishShare(await signUp(floe), { 'a.txt': 'a' }, { security })
    const attacker = createClient(floe.url)
    const responses: HttpResponse[] = []
    for (let turn = 0; turn < 22; turn += 1) {
      responses.push(await openShare(attacker, id, `guess ${turn}`))
    }
    expect(responses.map(({ status }) => status)).toEqual([
      ...Array<number>(20).fill(403),
      429,
      429,
    ])
    expect((await openShare(attacker, id, security.password)).status).toBe(429)
    expect((await openShare(createClient(floe.url), id, security.password)).status).toBe(200)
  })

  test('GHSA-r4v7-6wcg-ghj5: guessing at an account ends, and does not lock its owner out', async () => {
    const account = newAccount()
    await signUp(floe, account)
    const found = await Promise.all([1, 2, 3].map(() => guess(account.email, freeAttempts + 2)))
    expect(found).toEqual([refusedAfterTen, refusedAfterTen, refusedAfterTen])
    await signIn(floe.url, account)
  })

  test.each([
    ['CVE-2026-23849', 'the right password of another', newAccount().password],
    ['GHSA-7789-65hx-f26w', 'a wrong password', 'x'],
  ])(
    '%s: with %s an unknown account costs the server as much as a known one',
    async (_id, _what, password) => {
      const account = newAccount()
      await signUp(floe, account)
      const service = { embedded: undefined, split: 'auth' }[floe.arrangement]
      const pids = findProcesses(floe.dataDirectory)
        .filter(({ environment, commandLine }) => {
          const isOurs = environment['DATA_DIR'] !== undefined && commandLine.includes('main.js')
          return isOurs && environment['SERVICES'] === service
        })
        .map(({ pid }) => pid)
      expect(pids.length).toBeGreaterThan(0)
      const costs: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
      const emails = { known: account.email, unknown: newAccount().email }
      const client = createClient(floe.url)
      // In turn, so that whatever else these processes do falls on both.
      for (let turn = 0; turn < freeAttempts - 1; turn += 1) {
        for (const which of ['known', 'unknown'] as const) {
          const before = computedMs(pids)
          const json = { email: emails[which], password }
          expect((await client.send('POST', '/api/auth/signIn', { json })).status).toBe(401)
          costs[which].push(computedMs(pids) - before)
        }
      }
      // Each at its cheapest, when nothing else was in it. Without hashing it would be a third.
      const ratio = Math.min(...costs.unknown) / Math.min(...costs.known)
      expect(ratio, JSON.stringify(costs)).toBeGreaterThan(0.6)
      expect(ratio, JSON.stringify(costs)).toBeLessThan(1.7)
    },
  )

  describe('half signed in', () => {
    let loginToken: string
    let secret: string
    beforeAll(async () => {
      const account = newAccount()
      secret = await enrolTotp(await signUp(floe, account), account)
      loginToken = (await beginSignIn(floe.url, account)).loginToken
    })

    test('CVE-2026-44460: no route of an account opens, least of all that of its second factor', async () => {
      const target = {
        ...{ shareId: 'x', fileId: 'x', uploadId: 'x', reverseShareId: 'x' },
        ...{ userId: randomUUID(), sessionId: randomUUID() },
      }
      const half = createClient(floe.url)
      for (const cookie of ['access_token', 'refresh_token', 'login_token', 'device']) {
        half.cookies.set(cookie, loginToken)
      }
      const ofUsers = names.filter((name) => routes[name].access === 'user')
      expect(ofUsers).toContain('enableTotp')
      for (const name of ofUsers) {
        const response = await callRoute(half, name, target)
        expect(response.status, name).toBe(403)
        expect(response.text, name).not.toContain(secret)
      }
      const headers = { Authorization: `Bearer ${loginToken}` }
      expect((await createClient(floe.url).send('GET', '/api/users/me', { headers })).status).toBe(
        403,
      )
    })
  })

  test.each([
    ['GHSA-j7jh-37pf-mf8h', 'e-mail address', 'email'],
    ['GHSA-576v-w77m-gr84', 'username', 'username'],
  ] as const)(
    '%s: of many who want one %s at once, in any case, one gets it',
    async (_id, _what, key) => {
      const wanted = newAccount()[key]
      const written = [wanted, wanted.toUpperCase(), wanted.replace('u', 'U'), wanted, wanted]
      const responses = await Promise.all(
        written.map((value) => {
          const json = { ...newAccount(), [key]: value }
          return createClient(floe.url).send('POST', '/api/auth/signUp', { json })
        }),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400])
      const later = await signUp(floe)
      const json = { [key]: wanted.toUpperCase() }
      expectRefusal(await later.send('PATCH', '/api/users/me', { json }))
    },
  )

  test('GHSA-v3jv-rmh2-635j: nothing that a proxy may add makes up for an ended or altered token', async () => {
    const account = newAccount()
    const client = await signUp(floe, account)
    const [ended, altered] = [copyOf(client), copyOf(client)]
    const [head, claims = '', signature] = (client.cookies.get('access_token') ?? '').split('.')
    const payload = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number }
    const longer = Buffer.from(JSON.stringify({ ...payload, exp: payload.exp + 9_999_999 }))
    altered.cookies.set('access_token', [head, longer.toString('base64url'), signature].join('.'))
    await client.send('POST', '/api/auth/signOut')
    const headers = {
      ...{ 'X-Forwarded-User': account.username, 'Remote-User': account.username },
      ...{ 'X-Auth-Request-Email': account.email, 'X-Forwarded-Email': account.email },
    }
    for (const held of [ended, altered, createClient(floe.url)] satisfies Client[]) {
      expect((await held.send('GET', '/api/users/me', { headers })).status).toBe(403)
      expect((await me(held)).status).toBe(403)
    }
    expect((await renew(ended)).status).toBe(401)
  })
})
