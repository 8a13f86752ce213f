import type { ProviderFault } from '@floe/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isSignedIn, openBrowser, register } from '../testing/browser.ts'
import { APP_URL } from '../testing/social-flow.ts'
import {
  callBack,
  enter,
  errorOf,
  goThrough,
  landingOf,
  newAccount,
  type SocialWorld,
  startSocialWorld,
  visitProvider,
} from '../testing/social-world.ts'

let world: SocialWorld
beforeAll(async () => {
  world = await startSocialWorld()
  world.useForging()
  await register(world.server)
})
beforeEach(() => {
  world.forging.fault = null
})
afterAll(() => world.close())

test.each([
  ['access_denied', 'access_denied'],
  ['expired_token', 'expired_token'],
  ['server_error', 'default'],
  ['no_user', 'default'],
  ['<script>', 'default'],
])('a provider that says %s leads to %s', async (said, error) => {
  const response = await goThrough(openBrowser(world.server), 'github', { error: said }, '/upload')
  expect(response.location?.startsWith(`${APP_URL}/error?`)).toBe(true)
  expect(errorOf(response)).toEqual({
    error,
    redirect: '/auth/signIn?redirect=%2Fupload',
    params: 'provider_github',
  })
  expect(response.setCookies).toEqual([expect.stringMatching(/^oauth_github_state=;/)])
})

test('the certified provider is cancelled, too', async () => {
  const response = await goThrough(openBrowser(world.server), 'google', { error: 'access_denied' })
  expect(errorOf(response)).toMatchObject({ error: 'access_denied', params: 'provider_google' })
})

test.each<[ProviderFault, string]>([
  ['wrong nonce', 'invalid_token'],
  ['forged signature', 'invalid_token'],
  ['unsigned ID token', 'invalid_token'],
  ['wrong audience', 'invalid_token'],
  ['expired ID token', 'invalid_token'],
  ['userinfo broken', 'cannot_get_user_info'],
  ['token endpoint broken', 'cannot_get_user_info'],
])('a response with %s leads to %s and lets nobody in', async (fault, error) => {
  const account = newAccount({ hasBareIdToken: true })
  const browser = openBrowser(world.server)
  const users = await world.server.database.knex('users')
  world.forging.fault = fault
  const response = await goThrough(browser, 'oidc', { account })
  expect(errorOf(response)).toEqual({
    error,
    redirect: '/auth/signIn',
    params: 'provider_oidc',
  })
  await expect(isSignedIn(browser)).resolves.toBe(false)
  await expect(world.server.database.knex('users')).resolves.toHaveLength(users.length)
})

test('a provider that cannot be reached is known before anybody leaves for it', async () => {
  const { server, forging } = world
  server.passSeconds(600)
  forging.fault = 'discovery broken'
  const browser = openBrowser(server)
  const response = await browser.send('GET', '/api/oauth/auth/oidc?redirect=/upload')
  expect(errorOf(response)).toEqual({
    error: 'cannot_get_user_info',
    redirect: '/auth/signIn?redirect=%2Fupload',
    params: 'provider_oidc',
  })
  expect(browser.cookies.size).toBe(0)
})

test('an API that returns nonsense leads to cannot_get_user_info', async () => {
  world.github.outage = { status: 200, body: '{"login":"octocat"}' }
  const response = await goThrough(openBrowser(world.server), 'github', { account: newAccount() })
  world.github.outage = null
  expect(errorOf(response)).toMatchObject({ error: 'cannot_get_user_info' })
})

test.each(['google', 'github', 'discord', 'microsoft'] as const)(
  'a code of %s counts once, even with the cookie it came for',
  async (provider) => {
    const browser = openBrowser(world.server)
    const url = await visitProvider(browser, provider, { account: newAccount() })
    const thief = browser.copy()
    expect(landingOf(await callBack(browser, url))).toBe('/')
    expect(errorOf(await callBack(thief, url))).toMatchObject({ error: 'invalid_token' })
    await expect(isSignedIn(thief)).resolves.toBe(false)
    // The browser itself has lost the cookie by then.
    expect(errorOf(await callBack(browser, url))).toMatchObject({ error: 'expired_token' })
  },
)

test('a state that is not that of this browser leads to invalid_token', async () => {
  const victim = openBrowser(world.server)
  const attacker = openBrowser(world.server)
  await visitProvider(victim, 'github', { account: newAccount() })
  const url = await visitProvider(attacker, 'github', { account: newAccount() })
  expect(errorOf(await callBack(victim, url))).toMatchObject({ error: 'invalid_token' })
  for (const state of ['', 'made-up']) {
    const browser = openBrowser(world.server)
    const own = await visitProvider(browser, 'github', { account: newAccount() })
    own.searchParams.set('state', state)
    expect(errorOf(await callBack(browser, own))).toMatchObject({ error: 'invalid_token' })
    await expect(isSignedIn(browser)).resolves.toBe(false)
  }
})

test('a response without an attempt, or to one that is too old, leads to expired_token', async () => {
  const { server } = world
  const url = await visitProvider(openBrowser(server), 'github', { account: newAccount() })
  expect(errorOf(await callBack(openBrowser(server), url))).toEqual({
    error: 'expired_token',
    redirect: '/auth/signIn',
    params: 'provider_github',
  })
  const browser = openBrowser(server)
  const late = await visitProvider(browser, 'github', { account: newAccount() })
  server.passSeconds(601)
  expect(errorOf(await callBack(browser, late))).toMatchObject({ error: 'expired_token' })
  const bent = openBrowser(server)
  const other = await visitProvider(bent, 'github', { account: newAccount() })
  bent.cookies.set('oauth_github_state', 'AAAA')
  expect(errorOf(await callBack(bent, other))).toMatchObject({ error: 'expired_token' })
})

test('an attempt at one provider is none at another', async () => {
  const browser = openBrowser(world.server)
  const url = await visitProvider(browser, 'github', { account: newAccount() })
  browser.cookies.set('oauth_discord_state', browser.cookies.get('oauth_github_state') ?? '')
  const path = `/api/oauth/callback/discord${url.search}`
  expect(errorOf(await browser.send('GET', path))).toMatchObject({ error: 'expired_token' })
})

test('a response that names another issuer leads to invalid_token', async () => {
  const browser = openBrowser(world.server)
  const url = await visitProvider(browser, 'google', { account: newAccount() })
  url.searchParams.set('iss', 'https://accounts.example')
  expect(errorOf(await callBack(browser, url))).toMatchObject({ error: 'invalid_token' })
})

test('a user who seems signed in is led back to their account', async () => {
  const browser = await enter(world.server, 'github', newAccount())
  const response = await browser.send('GET', '/api/oauth/callback/github?code=c&state=s')
  expect(errorOf(response)).toMatchObject({ error: 'expired_token', redirect: '/account' })
})

test('lists the providers that are on and filled in, and refuses all others', async () => {
  const { settings } = world.server
  const visitor = openBrowser(world.server)
  const list = async () => (await visitor.send('GET', '/api/oauth/available')).text
  expect(await list()).toBe('["github","google","microsoft","discord","oidc"]')
  const kept = { ...settings }
  Object.assign(settings, {
    'oauth.github-enabled': false,
    'oauth.google-clientId': ' ',
    'oauth.microsoft-clientSecret': '',
    'oauth.oidc-discoveryUri': '',
  })
  expect(await list()).toBe('["discord"]')
  const refused = ['github', 'google', 'microsoft', 'oidc', 'facebook', 'constructor']
  for (const provider of refused) {
    for (const path of [`auth/${provider}`, `callback/${provider}?code=c&state=s`]) {
      const response = await visitor.send('GET', `/api/oauth/${path}`)
      expect(response).toMatchObject({ status: 403, body: { code: 'social_provider_disabled' } })
    }
  }
  Object.assign(settings, kept)
})

test.each([
  ['two codes', 'callback/github?code=a&code=b&state=s'],
  ['an endless state', `callback/github?state=${'s'.repeat(1_001)}`],
  ['an endless name of a provider', `auth/${'x'.repeat(51)}`],
  ['an endless redirect', `auth/github?redirect=/${'x'.repeat(2_000)}`],
])('refuses %s', async (_what, path) => {
  const response = await openBrowser(world.server).send('GET', `/api/oauth/${path}`)
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
})
