import { type SocialProvider, socialProviders } from '@floe/contracts'
import {
  type ForgingProvider,
  type ProviderAccount,
  type ProviderFault,
  startForgingProvider,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newAccount, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { codeOf } from './world/shares.ts'
import {
  callBack,
  type Changes,
  errorOf,
  goThrough,
  locationOf,
  newProviderAccount,
  type SocialFloe,
  switchSocialLoginOn,
  visitProvider,
} from './world/social.ts'
import { enrolTotp, finishSignIn, totpCode } from './world/totp.ts'

onOneArrangement('embedded', 'social login', (floe) => {
  let social: SocialFloe
  beforeAll(async () => {
    social = await switchSocialLoginOn(floe)
  })
  afterAll(() => social.close())

  const me = async (client: Client) => (await client.send('GET', '/api/users/me')).body
  const links = async (client: Client) => (await client.send('GET', '/api/oauth/status')).body
  const unlink = (client: Client, provider: SocialProvider, json: unknown = {}) =>
    client.send('POST', `/api/oauth/unlink/${provider}`, { json })

  /** A client that came in as the account. */
  async function enter(provider: SocialProvider, account: ProviderAccount): Promise<Client> {
    const client = createClient(floe.url)
    expect(await goThrough(client, provider, { account })).toBe(`${social.appUrl}/`)
    return client
  }

  /** With these settings, once they hold; then with the usual ones again. */
  async function withSettings(changes: Changes, check: () => Promise<void>): Promise<void> {
    await social.configure(changes)
    await vi.waitFor(check, { timeout: 10_000, interval: 200 })
    await social.configure(Object.fromEntries(Object.keys(changes).map((key) => [key, ''])))
  }

  test('is offered by every provider that is on, in the order they are shown', async () => {
    const response = await createClient(floe.url).send('GET', '/api/oauth/available')
    expect(response).toMatchObject({ status: 200, body: socialProviders })
    const unknown = await createClient(floe.url).send('GET', '/api/oauth/auth/facebook')
    expect(unknown.status).toBe(403)
    expect(codeOf(unknown)).toBe('social_provider_disabled')
  })

  test.each(socialProviders)('signs up and in by %s, as one user', async (provider) => {
    const account = newProviderAccount()
    const wanted = '/account/shares?page=2'
    const client = createClient(floe.url)
    expect(await goThrough(client, provider, { account }, wanted)).toBe(social.appUrl + wanted)
    const user = await me(client)
    expect(user).toMatchObject({
      username: account.username,
      email: account.email,
      isAdmin: false,
      hasPassword: false,
    })
    expect(await me(await enter(provider, account))).toEqual(user)
    expect(await links(client)).toEqual({
      [provider]: { provider, providerUsername: account.username },
    })
  })

  test('links and unlinks accounts of the user who is signed in', async () => {
    const client = await signUp(floe)
    const account = newProviderAccount()
    expect(await goThrough(client, 'oidc', { account }, '/upload')).toBe(`${social.appUrl}/account`)
    expect(await me(await enter('oidc', account))).toEqual(await me(client))
    expect(await unlink(client, 'oidc')).toMatchObject({ status: 201, text: '' })
    expect(await links(client)).toEqual({})
    expect(errorOf(locationOf(await unlink(client, 'oidc')))).toEqual({
      error: 'not_linked',
      redirect: '/account',
      params: 'provider_oidc',
    })
  })

  test('keeps the last way in until its end is confirmed', async () => {
    const client = await enter('github', newProviderAccount())
    const refused = await unlink(client, 'github')
    expect(refused.status).toBe(400)
    expect(codeOf(refused)).toBe('last_sign_in_method')
    expect((await unlink(client, 'github', { confirm: true })).status).toBe(201)
  })

  test('asks for the second step unless it is set to be ignored', async () => {
    const account = newProviderAccount()
    const local = newAccount()
    const client = await signUp(floe, local)
    await goThrough(client, 'github', { account })
    const secret = await enrolTotp(client, local)
    expect(await me(await enter('github', account))).toMatchObject({ totpVerified: true })
    await withSettings({ 'oauth.ignoreTotp': false }, async () => {
      const browser = createClient(floe.url)
      const location = await goThrough(browser, 'github', { account }, '/upload')
      const { pathname, search } = new URL(location)
      expect(pathname).toMatch(/^\/auth\/totp\/[\w-]{43}$/)
      expect(search).toBe('?redirect=%2Fupload')
      expect((await browser.send('GET', '/api/users/me')).status).toBe(403)
      const loginToken = pathname.split('/').at(-1) ?? ''
      const response = await finishSignIn({ client: browser, loginToken }, totpCode(secret, 1))
      expect(response.status, response.text).toBe(200)
    })
  })

  test('is begun by nobody else for somebody who is signed in', async () => {
    const client = await signUp(floe)
    const headers = { 'Sec-Fetch-Site': 'cross-site' }
    const response = await client.send('GET', '/api/oauth/auth/github', { headers })
    expect(response.status).toBe(403)
    expect(codeOf(response)).toBe('cross_site_request')
  })

  describe('that fails lands on the error page:', () => {
    const failing = async (
      provider: SocialProvider,
      decision: Parameters<typeof goThrough>[2],
      client = createClient(floe.url),
    ) => {
      const error = errorOf(await goThrough(client, provider, decision))
      expect(error?.['params']).toBe(`provider_${provider}`)
      expect(client.cookies.names()).not.toContain(`oauth_${provider}_state`)
      return error?.['error']
    }

    test.each([
      ['access_denied', 'access_denied'],
      ['expired_token', 'expired_token'],
      ['temporarily_unavailable', 'default'],
    ])('the provider says %s', async (error, code) => {
      for (const provider of ['github', 'discord', 'oidc'] as const) {
        expect(await failing(provider, { error })).toBe(code)
      }
    })

    test('the attempt was not begun here', async () => {
      const account = newProviderAccount()
      const url = await visitProvider(createClient(floe.url), 'oidc', { account })
      const response = await callBack(createClient(floe.url), url)
      expect(errorOf(locationOf(response))).toEqual({
        error: 'expired_token',
        redirect: '/auth/signIn',
        params: 'provider_oidc',
      })
    })

    test('the state is that of another attempt', async () => {
      const client = createClient(floe.url)
      await visitProvider(client, 'oidc', { account: newProviderAccount() })
      const other = await visitProvider(createClient(floe.url), 'oidc', {
        account: newProviderAccount(),
      })
      const response = await callBack(client, other)
      expect(errorOf(locationOf(response))).toMatchObject({ error: 'invalid_token' })
      expect((await client.send('GET', '/api/users/me')).status).toBe(403)
    })

    test.each(socialProviders)('the code of %s was used before', async (provider) => {
      const client = createClient(floe.url)
      const url = await visitProvider(client, provider, { account: newProviderAccount() })
      const cookie = `oauth_${provider}_state`
      const kept = client.cookies.get(cookie) ?? ''
      expect(locationOf(await callBack(client, url))).toBe(`${social.appUrl}/`)
      const thief = createClient(floe.url)
      thief.cookies.set(cookie, kept, `/api/oauth/callback/${provider}`)
      const response = await callBack(thief, url)
      expect(errorOf(locationOf(response))).toMatchObject({ error: 'invalid_token' })
      expect(thief.cookies.names()).toEqual([])
    })

    test('nobody new is let in', async () => {
      const known = newProviderAccount()
      await enter('oidc', known)
      await withSettings({ 'oauth.allowRegistration': false }, async () => {
        expect(await failing('oidc', { account: newProviderAccount() })).toBe('no_user')
        await enter('oidc', known)
      })
    })

    test('there is no address, or it is not proven, or it is somebody else’s', async () => {
      const { email: _, ...nameless } = newProviderAccount()
      const local = newAccount()
      await signUp(floe, local)
      for (const provider of ['github', 'discord', 'oidc'] as const) {
        expect(await failing(provider, { account: nameless })).toBe('no_email')
        const unproven = newProviderAccount({ isEmailVerified: false })
        expect(await failing(provider, { account: unproven })).toBe('unverified_account')
        const clash = newProviderAccount({ email: local.email })
        expect(await failing(provider, { account: clash })).toBe('email_already_exists')
      }
    })

    test('the account is linked already', async () => {
      const account = newProviderAccount()
      await enter('github', account)
      expect(await failing('github', { account }, await signUp(floe))).toBe('already_linked')
    })

    test('the account is not a member of the Discord server', async () => {
      await withSettings({ 'oauth.discord-limitedGuild': '900' }, async () => {
        const stranger = newProviderAccount({ guildIds: ['901'] })
        expect(await failing('discord', { account: stranger })).toBe(
          'discord_guild_permission_denied',
        )
        await enter('discord', newProviderAccount({ guildIds: ['900'] }))
      })
    })
  })

  describe('with a provider that misbehaves', () => {
    let forging: ForgingProvider
    beforeAll(async () => {
      forging = await startForgingProvider()
      await social.useOidc(forging)
      await vi.waitFor(() => enter('oidc', newProviderAccount()), 10_000)
    })
    afterAll(async () => {
      await social.useOidc(social.certified)
      await forging.close()
    })

    test.each<[ProviderFault, string]>([
      ['wrong nonce', 'invalid_token'],
      ['forged signature', 'invalid_token'],
      ['unsigned ID token', 'invalid_token'],
      ['ID token signed with the client secret', 'invalid_token'],
      ['wrong audience', 'invalid_token'],
      ['wrong issuer', 'invalid_token'],
      ['expired ID token', 'invalid_token'],
      ['userinfo of another account', 'cannot_get_user_info'],
      ['userinfo broken', 'cannot_get_user_info'],
      ['token endpoint broken', 'cannot_get_user_info'],
    ])('lets nobody in: %s', async (fault, error) => {
      forging.fault = fault
      const client = createClient(floe.url)
      const account = newProviderAccount({ hasBareIdToken: true })
      expect(errorOf(await goThrough(client, 'oidc', { account }))).toEqual({
        error,
        redirect: '/auth/signIn',
        params: 'provider_oidc',
      })
      expect(client.cookies.names()).toEqual([])
    })
  })
})
