import { randomUUID } from 'node:crypto'
import type { ForgingProvider } from '@floe/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, isSignedIn, openBrowser, register } from '../testing/browser.ts'
import { APP_URL } from '../testing/social-flow.ts'
import { enter, newAccount, type SocialWorld, startSocialWorld } from '../testing/social-world.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

let world: SocialWorld
let provider: ForgingProvider
beforeAll(async () => {
  world = await startSocialWorld()
  world.useForging()
  provider = world.forging
  await register(world.server)
})
beforeEach(async () => {
  provider.fault = null
  world.server.settings['oauth.oidc-signOut'] = false
  await world.server.database.knex('rate_limits').delete()
})
afterAll(() => world.close())

/** Somebody who signed in at the provider, where the session has a name. */
async function signedIn({ sid = randomUUID(), id = randomUUID() } = {}) {
  const account = newAccount({ id, claims: { sid } })
  return { browser: await enter(world.server, 'oidc', account), sid, sub: id }
}

const now = () => Math.floor(world.server.now().getTime() / 1000)
const claimsOf = (claims: Record<string, unknown>) => ({
  iss: provider.url,
  aud: provider.clientId,
  iat: now(),
  exp: now() + 120,
  jti: randomUUID(),
  events: { [EVENT]: {} },
  ...claims,
})

async function tell(token: string) {
  const body = new URLSearchParams({ logout_token: token }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return openBrowser(world.server).send('POST', '/api/oauth/logout/oidc', body, headers)
}

const tellOf = async (claims: Record<string, unknown>) =>
  tell(await provider.signToken(claimsOf(claims)))

describe('a logout token', () => {
  test('ends the session that it names, and no other of the same person', async () => {
    const first = await signedIn()
    const other = await signedIn({ id: first.sub })
    const response = await tellOf({ sub: first.sub, sid: first.sid })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    await expect(isSignedIn(first.browser)).resolves.toBe(false)
    expect((await first.browser.send('POST', '/api/auth/token')).status).toBe(401)
    await expect(isSignedIn(other.browser)).resolves.toBe(true)
    expect((await tellOf({ sid: other.sid })).status).toBe(200)
    await expect(isSignedIn(other.browser)).resolves.toBe(false)
  })

  test('that names a person ends all of their sessions, and nobody else is concerned', async () => {
    const first = await signedIn()
    const second = await signedIn({ id: first.sub })
    const stranger = await signedIn()
    expect((await tellOf({ sub: first.sub })).status).toBe(200)
    const states = [first, second, stranger].map(({ browser }) => isSignedIn(browser))
    expect(await Promise.all(states)).toEqual([false, false, true])
  })

  test('that is sent again ends no session that began after it', async () => {
    const first = await signedIn()
    const token = await provider.signToken(claimsOf({ sub: first.sub, exp: now() + 7_200 }))
    expect((await tell(token)).status).toBe(200)
    world.server.passSeconds(120)
    const later = await signedIn({ id: first.sub })
    expect((await tell(token)).status).toBe(200)
    await expect(isSignedIn(later.browser)).resolves.toBe(true)
  })

  test('ends no session that began in another way', async () => {
    const { browser } = await register(world.server)
    const id = String((await browser.send('GET', '/api/users/me')).body['id'])
    expect((await tellOf({ sub: id })).status).toBe(200)
    await expect(isSignedIn(browser)).resolves.toBe(true)
  })

  /** What is spoilt; a member that is undefined is left out. */
  const bad: [string, () => Record<string, unknown>][] = [
    ['of another issuer', () => ({ iss: 'https://evil.example' })],
    ['for another client', () => ({ aud: 'another' })],
    ['that has expired', () => ({ iat: now() - 600, exp: now() - 300 })],
    ['without an end', () => ({ exp: undefined })],
    ['without a time', () => ({ iat: undefined })],
    ['without an id', () => ({ jti: undefined })],
    ['without the event', () => ({ events: {} })],
    ['with the event as text', () => ({ events: { [EVENT]: 'yes' } })],
    ['with a nonce, as ID tokens have', () => ({ nonce: 'n' })],
    ['that names nobody', () => ({ sub: undefined, sid: undefined })],
  ]
  test.each(bad)('%s changes nothing', async (_, spoil) => {
    const { browser, sub, sid } = await signedIn()
    const response = await tellOf({ sub, sid, ...spoil() })
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_logout_token' } })
    await expect(isSignedIn(browser)).resolves.toBe(true)
  })

  test('that is forged, unsigned, of another type or no token changes nothing', async () => {
    const { browser, sub, sid } = await signedIn()
    const claims = claimsOf({ sub, sid })
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(
      JSON.stringify(claims),
    ).toString('base64url')}.`
    for (const token of [
      await provider.signToken(claims, { isForged: true }),
      await provider.signToken(claims, { typ: 'at+jwt' }),
      unsigned,
      'nonsense',
    ]) {
      const code = 'invalid_logout_token'
      expect(await tell(token)).toMatchObject({ status: 400, body: { code } })
    }
    expect((await tell('')).status).toBe(400)
    await expect(isSignedIn(browser)).resolves.toBe(true)
    const typed = await provider.signToken(claims, { typ: 'logout+jwt' })
    expect((await tell(typed)).status).toBe(200)
    await expect(isSignedIn(browser)).resolves.toBe(false)
  })

  test('is refused while the keys of the provider cannot be read', async () => {
    const { browser, sub } = await signedIn()
    provider.fault = 'keys unreachable'
    expect((await tellOf({ sub })).status).toBe(400)
    await expect(isSignedIn(browser)).resolves.toBe(true)
  })
})

describe('signing out', () => {
  const signOut = (browser: Browser) => browser.send('POST', '/api/auth/signOut')

  test('leads on to the provider where that is set, with what the session began with', async () => {
    world.server.settings['oauth.oidc-discoveryUri'] = world.certified.url
    world.server.settings['oauth.oidc-clientId'] = world.certified.clientId
    world.server.settings['oauth.oidc-clientSecret'] = world.certified.clientSecret
    world.server.settings['oauth.oidc-signOut'] = true
    const account = newAccount()
    const browser = await enter(world.server, 'oidc', account)
    const { status, body } = await signOut(browser)
    expect(status).toBe(201)
    const url = new URL(String(body['redirectURI']))
    expect(url.origin).toBe(world.certified.url)
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${APP_URL}/`)
    const [, claims = ''] = (url.searchParams.get('id_token_hint') ?? '').split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      sub: account.id,
    })
    await expect(isSignedIn(browser)).resolves.toBe(false)
    const { browser: other } = await register(world.server)
    expect(await signOut(other)).toMatchObject({ status: 201, text: '' })
    world.useForging()
  })

  test('says nothing where it is not set, or the provider has no such page', async () => {
    const { browser } = await signedIn()
    expect(await signOut(browser)).toMatchObject({ status: 201, text: '' })
    world.server.settings['oauth.oidc-signOut'] = true
    const { browser: second } = await signedIn()
    expect(await signOut(second)).toMatchObject({ status: 201, text: '' })
    await expect(isSignedIn(second)).resolves.toBe(false)
  })

  test('keeps the ID token sealed, and forgets it with the session', async () => {
    const { sub } = await signedIn()
    const { knex } = world.server.database
    const rows = await knex('provider_sessions').where({ subject: sub })
    expect(rows).toHaveLength(1)
    expect(rows[0].sealed_id_token.toString('latin1')).not.toContain('eyJ')
    await knex('sessions').where({ id: rows[0].session_id }).delete()
    expect(await knex('provider_sessions').where({ subject: sub })).toEqual([])
  })
})
