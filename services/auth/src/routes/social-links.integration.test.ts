import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, register } from '../testing/browser.ts'
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
afterAll(() => world.close())

type Sender = ReturnType<typeof openBrowser>
const statusOf = async (browser: Sender) => (await browser.send('GET', '/api/oauth/status')).body
const unlink = (browser: Sender, provider: string, body: unknown = {}) =>
  browser.send('POST', `/api/oauth/unlink/${provider}`, body)

test('links accounts to the user who is signed in, who can then enter by each of them', async () => {
  const { server } = world
  const { browser, id } = await register(server)
  expect(await statusOf(browser)).toEqual({})
  const github = newAccount({ isEmailVerified: true })
  const oidc = newAccount()
  for (const [provider, account] of [
    ['oidc', oidc],
    ['github', github],
  ] as const) {
    const response = await goThrough(browser, provider, { account }, '/upload')
    expect(response.location).toBe(`${APP_URL}/account`)
    expect(response.setCookies).toEqual([
      expect.stringMatching(new RegExp(`^oauth_${provider}_state=;`)),
    ])
  }
  expect(await statusOf(browser)).toEqual({
    github: { provider: 'github', providerUsername: github.username },
    oidc: { provider: 'oidc', providerUsername: oidc.username },
  })
  expect(Object.keys(await statusOf(browser))).toEqual(['github', 'oidc'])
  const entered = await enter(server, 'github', github)
  expect((await entered.send('GET', '/api/users/me')).body).toMatchObject({ id })
})

test('links an account whose address is somebody else’s, or that tells none', async () => {
  const other = await register(world.server)
  const { browser, email } = await register(world.server)
  const response = await goThrough(browser, 'github', {
    account: newAccount({ email: other.email }),
  })
  expect(landingOf(response)).toBe('/account')
  const { email: _, ...nameless } = newAccount()
  expect(landingOf(await goThrough(browser, 'oidc', { account: nameless }))).toBe('/account')
  expect((await browser.send('GET', '/api/users/me')).body).toMatchObject({ email })
})

test('links nothing that is linked already, to whomever', async () => {
  const { server } = world
  const account = newAccount()
  const owner = await register(server)
  await goThrough(owner.browser, 'github', { account })
  const other = await register(server)
  const refused = { error: 'already_linked', redirect: '/account', params: 'provider_github' }
  const taken = await goThrough(other.browser, 'github', { account })
  expect(errorOf(taken)).toEqual(refused)
  expect(await statusOf(other.browser)).toEqual({})
  expect(errorOf(await goThrough(owner.browser, 'github', { account }))).toEqual(refused)
  const second = await goThrough(owner.browser, 'github', { account: newAccount() })
  expect(errorOf(second)).toEqual(refused)
  expect(await statusOf(owner.browser)).toMatchObject({
    github: { providerUsername: account.username },
  })
})

test('links one account to one of two users who ask at once', async () => {
  const account = newAccount()
  const users = await Promise.all([register(world.server), register(world.server)])
  const urls = await Promise.all(
    users.map(({ browser }) => visitProvider(browser, 'github', { account })),
  )
  const responses = await Promise.all(
    users.map(({ browser }, index) => callBack(browser, urls[index] as URL)),
  )
  expect(responses.map((response) => errorOf(response)?.error ?? 'linked').sort()).toEqual([
    'already_linked',
    'linked',
  ])
})

test('links nothing once the session that asked for it has ended', async () => {
  const user = await register(world.server)
  const copy = user.browser.copy()
  const url = await visitProvider(user.browser, 'github', { account: newAccount() })
  await copy.send('POST', '/api/auth/signOut')
  expect(errorOf(await callBack(user.browser, url))).toMatchObject({
    error: 'expired_token',
    redirect: '/account',
  })
  await expect(
    world.server.database.knex('identities').where({ user_id: user.id }),
  ).resolves.toEqual([])
})

test('links to the user who asked, even if somebody else is signed in when the response comes', async () => {
  const first = await register(world.server)
  const second = await register(world.server)
  const account = newAccount()
  const url = await visitProvider(first.browser, 'github', { account })
  second.browser.cookies.set(
    'oauth_github_state',
    first.browser.cookies.get('oauth_github_state') ?? '',
  )
  expect(landingOf(await callBack(second.browser, url))).toBe('/account')
  expect(await statusOf(second.browser)).toEqual({})
  expect(Object.keys(await statusOf(first.browser))).toEqual(['github'])
})

test.each(['cross-site', 'same-site'])('begins no linking for a %s request', async (site) => {
  const { browser } = await register(world.server)
  const headers = { 'sec-fetch-site': site }
  const path = '/api/oauth/auth/github'
  const response = await browser.send('GET', path, undefined, headers)
  expect(response).toMatchObject({ status: 403, body: { code: 'cross_site_request' } })
  const visitor = openBrowser(world.server)
  expect((await visitor.send('GET', path, undefined, headers)).status).toBe(302)
  for (const own of ['same-origin', 'none']) {
    const allowed = await browser.send('GET', path, undefined, { 'sec-fetch-site': own })
    expect(allowed.status).toBe(302)
  }
})

test('unlinks at once what a password stands beside', async () => {
  const { browser } = await register(world.server)
  const account = newAccount()
  await goThrough(browser, 'github', { account })
  expect(await unlink(browser, 'github')).toMatchObject({ status: 201, text: '' })
  expect(await statusOf(browser)).toEqual({})
  const again = await register(world.server)
  expect(landingOf(await goThrough(again.browser, 'github', { account }))).toBe('/account')
})

test('unlinks the last way in only when that is confirmed', async () => {
  const browser = await enter(world.server, 'oidc', newAccount())
  expect(await unlink(browser, 'oidc')).toMatchObject({
    status: 400,
    body: { code: 'last_sign_in_method' },
  })
  expect(await unlink(browser, 'oidc', { confirm: false })).toMatchObject({ status: 400 })
  expect(Object.keys(await statusOf(browser))).toEqual(['oidc'])
  expect(await unlink(browser, 'oidc', { confirm: true })).toMatchObject({ status: 201 })
  expect(await statusOf(browser)).toEqual({})
})

test('counts another account as a way in only while its provider is on', async () => {
  const { settings } = world.server
  const browser = await enter(world.server, 'oidc', newAccount())
  await goThrough(browser, 'github', { account: newAccount() })
  settings['oauth.github-enabled'] = false
  expect(await unlink(browser, 'oidc')).toMatchObject({ body: { code: 'last_sign_in_method' } })
  settings['oauth.github-enabled'] = true
  expect(await unlink(browser, 'oidc')).toMatchObject({ status: 201 })
  settings['oauth.github-enabled'] = false
  expect(await unlink(browser, 'github', { confirm: true })).toMatchObject({ status: 201 })
  settings['oauth.github-enabled'] = true
})

test('leaves a way in to a user who unlinks two at once', async () => {
  const browser = await enter(world.server, 'oidc', newAccount())
  await goThrough(browser, 'github', { account: newAccount() })
  const responses = await Promise.all([unlink(browser, 'oidc'), unlink(browser, 'github')])
  expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400])
  expect(Object.keys(await statusOf(browser))).toHaveLength(1)
})

test('sends a user with nothing to unlink to the error page', async () => {
  const { browser } = await register(world.server)
  expect(errorOf(await unlink(browser, 'discord'))).toEqual({
    error: 'not_linked',
    redirect: '/account',
    params: 'provider_discord',
  })
  expect(await unlink(browser, 'facebook')).toMatchObject({
    status: 403,
    body: { code: 'social_provider_disabled' },
  })
  expect(await unlink(browser, 'github', { confirm: 'yes' })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  })
})

test('shows and changes links for signed-in users alone', async () => {
  const visitor = openBrowser(world.server)
  for (const response of [
    await visitor.send('GET', '/api/oauth/status'),
    await unlink(visitor, 'github'),
  ]) {
    expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  }
})
