import { socialProviders } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { setUpTotp } from '../testing/authenticator.ts'
import { type Browser, isSignedIn, openBrowser, register } from '../testing/browser.ts'
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
  await register(world.server)
})
afterEach(() => {
  Object.assign(world.server.settings, {
    'oauth.allowRegistration': true,
    'oauth.ignoreTotp': true,
    'share.allowRegistration': true,
    'oauth.discord-limitedGuild': '',
  })
})
afterAll(() => world.close())

const me = async (browser: Browser) => (await browser.send('GET', '/api/users/me')).body
const countUsers = async () => (await world.server.database.knex('users')).length

test.each(socialProviders)(
  '%s signs somebody up, and in again as the same user',
  async (provider) => {
    const account = newAccount()
    const browser = openBrowser(world.server)
    const response = await goThrough(browser, provider, { account })
    expect(landingOf(response)).toBe('/')
    const user = await me(browser)
    expect(user).toMatchObject({
      username: account.username,
      email: account.email,
      isAdmin: false,
      totpVerified: false,
      hasPassword: false,
    })
    const users = await countUsers()
    const again = openBrowser(world.server)
    await goThrough(again, provider, { account: { ...account, username: 'renamed_there' } })
    expect(await me(again)).toMatchObject({ id: user['id'], username: account.username })
    expect(await countUsers()).toBe(users)
  },
)

test('keeps no token of a provider, and none of its own in the address', async () => {
  const browser = openBrowser(world.server)
  const response = await goThrough(browser, 'github', { account: newAccount() })
  expect(response.location).toBe(`${APP_URL}/`)
  expect(response.setCookies.map((line) => line.split('=')[0]).sort()).toEqual([
    'access_token',
    'device',
    'oauth_github_state',
    'refresh_token',
  ])
  const [row] = await world.server.database.knex('identities').limit(1)
  expect(Object.keys(row).sort()).toEqual([
    'created_at',
    'issuer',
    'provider',
    'subject',
    'user_id',
    'username',
  ])
})

test('carries the attempt in one sealed cookie, for its callback alone, and clears it there', async () => {
  const browser = openBrowser(world.server)
  const begun = await browser.send('GET', '/api/oauth/auth/oidc', undefined, {
    'x-forwarded-proto': 'https',
  })
  expect(begun.setCookies).toEqual([
    expect.stringMatching(
      /^oauth_oidc_state=[\w-]+; Max-Age=600; Path=\/api\/oauth\/callback\/oidc; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ])
  const query = new URL(begun.location ?? '').searchParams
  expect(Object.fromEntries(query)).toMatchObject({
    response_type: 'code',
    redirect_uri: `${APP_URL}/api/oauth/callback/oidc`,
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    scope: 'openid profile email',
  })
  expect(begun.setCookies[0]).not.toContain(query.get('state'))
  const response = await goThrough(browser, 'oidc', { account: newAccount() })
  expect(response.setCookies).toContainEqual(
    expect.stringMatching(
      /^oauth_oidc_state=; Path=\/api\/oauth\/callback\/oidc; Expires=Thu, 01 Jan 1970/,
    ),
  )
})

test('lands where the visitor wanted to go, on this site only', async () => {
  const account = newAccount()
  const wanted = '/account/shares?sort=name&page=2'
  const response = await goThrough(openBrowser(world.server), 'github', { account }, wanted)
  expect(response.location).toBe(APP_URL + wanted)
  for (const redirect of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'x',
    '/\t/e',
  ]) {
    const query = new URLSearchParams({ redirect }).toString()
    const refused = await openBrowser(world.server).send('GET', `/api/oauth/auth/github?${query}`)
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  }
})

test('asks for the second step where TOTP counts, and skips it where it is ignored', async () => {
  const { server } = world
  const account = newAccount()
  const user = await register(server)
  await goThrough(user.browser, 'github', { account })
  const authenticator = await setUpTotp(server, user)

  const skipping = openBrowser(server)
  expect(landingOf(await goThrough(skipping, 'github', { account }, '/upload'))).toBe('/upload')
  await expect(isSignedIn(skipping)).resolves.toBe(true)

  server.settings['oauth.ignoreTotp'] = false
  const browser = openBrowser(server)
  const landing = landingOf(await goThrough(browser, 'github', { account }, '/upload')) ?? ''
  expect(landing).toMatch(/^\/auth\/totp\/[\w-]{43}\?redirect=%2Fupload$/)
  await expect(isSignedIn(browser)).resolves.toBe(false)
  const loginToken = landing.split('/')[3]?.split('?')[0]
  const totp = authenticator.nextCode()
  const finished = await browser.send('POST', '/api/auth/signIn/totp', { loginToken, totp })
  expect(finished.status).toBe(200)
  expect(await me(browser)).toMatchObject({ id: user.id })
})

test('lets nobody new in while registration by social login is off', async () => {
  const { settings } = world.server
  const known = newAccount()
  await enter(world.server, 'oidc', known)
  const users = await countUsers()
  settings['oauth.allowRegistration'] = false
  const response = await goThrough(openBrowser(world.server), 'oidc', { account: newAccount() })
  expect(errorOf(response)).toEqual({
    error: 'no_user',
    redirect: '/auth/signIn',
    params: 'provider_oidc',
  })
  expect(await countUsers()).toBe(users)
  await expect(isSignedIn(await enter(world.server, 'oidc', known))).resolves.toBe(true)
})

test('is not stopped by closed registration with a password', async () => {
  world.server.settings['share.allowRegistration'] = false
  await expect(isSignedIn(await enter(world.server, 'oidc', newAccount()))).resolves.toBe(true)
})

test('never takes over a local account by its address', async () => {
  const { server } = world
  const victim = await register(server)
  const account = newAccount({ email: victim.email.toUpperCase() })
  for (const provider of socialProviders) {
    const browser = openBrowser(server)
    const response = await goThrough(browser, provider, { account })
    expect(errorOf(response)).toMatchObject({ error: 'email_already_exists' })
    await expect(isSignedIn(browser)).resolves.toBe(false)
  }
  expect((await victim.browser.send('GET', '/api/oauth/status')).body).toEqual({})
})

test.each(['github', 'google', 'discord', 'oidc'] as const)(
  'takes nobody whose address is not proven, and nobody new without one, from %s',
  async (provider) => {
    const users = await countUsers()
    const unproven = await goThrough(openBrowser(world.server), provider, {
      account: newAccount({ isEmailVerified: false }),
    })
    expect(errorOf(unproven)).toMatchObject({ error: 'unverified_account' })
    const { email: _, ...nameless } = newAccount()
    const without = await goThrough(openBrowser(world.server), provider, { account: nameless })
    expect(errorOf(without)).toMatchObject({ error: 'no_email' })
    expect(await countUsers()).toBe(users)
  },
)

test('lets members of the one Discord server in, and nobody else', async () => {
  world.server.settings['oauth.discord-limitedGuild'] = '900'
  const member = newAccount({ guildIds: ['900'] })
  await expect(isSignedIn(await enter(world.server, 'discord', member))).resolves.toBe(true)
  const outsider = newAccount({ guildIds: ['901'] })
  const response = await goThrough(openBrowser(world.server), 'discord', { account: outsider })
  expect(errorOf(response)).toMatchObject({
    error: 'discord_guild_permission_denied',
    params: 'provider_discord',
  })
})

test('names people apart whose names are equal', async () => {
  const username = newAccount().username ?? ''
  const names = await Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      const account = newAccount({ username: index % 2 ? username : username.toUpperCase() })
      return String((await me(await enter(world.server, 'github', account)))['username'])
    }),
  )
  const lower = names.map((name) => name.toLowerCase())
  expect(new Set(lower).size).toBe(4)
  expect(lower.filter((name) => name === username)).toHaveLength(1)
  for (const name of lower) expect(name).toMatch(new RegExp(`^${username}(?:_[0-9a-f]{6})?$`))
})

test('makes one user of one account that arrives many times at once', async () => {
  const account = newAccount()
  const users = await countUsers()
  const browsers = Array.from({ length: 6 }, () => openBrowser(world.server))
  const urls = await Promise.all(browsers.map((one) => visitProvider(one, 'oidc', { account })))
  const responses = await Promise.all(
    browsers.map((browser, index) => callBack(browser, urls[index] as URL)),
  )
  expect(responses.map(landingOf)).toEqual(Array(6).fill('/'))
  const ids = await Promise.all(browsers.map(async (browser) => (await me(browser))['id']))
  expect(new Set(ids).size).toBe(1)
  expect(await countUsers()).toBe(users + 1)
})

test('takes an account for the one of its issuer, whatever others have the same id', async () => {
  const account = newAccount()
  const here = await me(await enter(world.server, 'oidc', account))
  const moved = await startSocialWorld()
  Object.assign(world.server.settings, {
    'oauth.oidc-discoveryUri': moved.certified.url,
    'oauth.oidc-clientId': moved.certified.clientId,
    'oauth.oidc-clientSecret': moved.certified.clientSecret,
  })
  const twin = newAccount({ id: account.id })
  const there = await me(await enter(world.server, 'oidc', twin))
  expect(there['id']).not.toBe(here['id'])
  Object.assign(world.server.settings, {
    'oauth.oidc-discoveryUri': world.certified.url,
    'oauth.oidc-clientId': world.certified.clientId,
    'oauth.oidc-clientSecret': world.certified.clientSecret,
  })
  expect((await me(await enter(world.server, 'oidc', account)))['id']).toBe(here['id'])
  await moved.close()
})

test('forgets the account with its user', async () => {
  const account = newAccount()
  const browser = await enter(world.server, 'oidc', account)
  const { id } = await me(browser)
  expect((await browser.send('DELETE', '/api/users/me')).status).toBe(200)
  await expect(world.server.database.knex('identities').where({ user_id: id })).resolves.toEqual([])
  expect((await me(await enter(world.server, 'oidc', account)))['id']).not.toBe(id)
})

test('makes the very first account the administrator, also while registration is off', async () => {
  const fresh = await startSocialWorld()
  fresh.server.settings['oauth.allowRegistration'] = false
  const accounts = Array.from({ length: 4 }, () => newAccount())
  const responses = await Promise.all(
    accounts.map((account) => goThrough(openBrowser(fresh.server), 'github', { account })),
  )
  const errors = responses.map((response) => errorOf(response)?.error ?? null)
  expect(errors.filter((error) => error === null)).toHaveLength(1)
  expect(errors.filter((error) => error === 'no_user')).toHaveLength(3)
  await expect(fresh.server.database.knex('users')).resolves.toEqual([
    expect.objectContaining({ is_admin: true }),
  ])
  await fresh.close()
})

test('an address that the provider vouches for is verified, and any other owes a proof', async () => {
  const { server } = world
  const standingOf = async (browser: Browser) => {
    const accessToken = browser.cookies.get('access_token') ?? null
    return (await server.port.identify({ accessToken }))?.emailStanding
  }
  Object.assign(server.settings, { 'general.requireEmailVerification': true, 'smtp.enabled': true })
  try {
    const vouched = openBrowser(server)
    await goThrough(vouched, 'github', { account: newAccount() })
    expect(await standingOf(vouched)).toBe('verified')
    const silent = openBrowser(server)
    const { isEmailVerified: _, ...account } = newAccount()
    await goThrough(silent, 'microsoft', { account })
    expect(await standingOf(silent)).toBe('owed')
    expect(await me(silent)).toMatchObject({ mustVerifyEmail: true })
  } finally {
    Object.assign(server.settings, {
      'general.requireEmailVerification': false,
      'smtp.enabled': false,
    })
  }
})
