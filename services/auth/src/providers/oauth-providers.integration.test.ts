import {
  type DiscordServer,
  type GithubServer,
  type ProviderAccount,
  startDiscordServer,
  startGithubServer,
} from '@floe/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fetchProfile, settingsWith } from '../testing/social-flow.ts'
import { createSocialAdapters } from './social-adapters.ts'

let github: GithubServer
let discord: DiscordServer
beforeAll(async () => {
  github = await startGithubServer()
  discord = await startDiscordServer()
})
afterEach(() => {
  github.outage = null
  discord.outage = null
})
afterAll(() => Promise.all([github.close(), discord.close()]))

const providers = ['github', 'discord'] as const

function adapterOf(provider: (typeof providers)[number], changes: object = {}) {
  const adapters = createSocialAdapters({
    providerUrls: {
      github: github.url,
      githubApi: github.apiUrl,
      google: '',
      microsoft: '',
      discord: discord.url,
    },
    clock: () => new Date(),
  })
  const settings = settingsWith({
    'oauth.github-clientId': github.clientId,
    'oauth.github-clientSecret': github.clientSecret,
    'oauth.discord-clientId': discord.clientId,
    'oauth.discord-clientSecret': discord.clientSecret,
    ...changes,
  })
  return adapters.adapterOf(provider, settings)
}

const account: ProviderAccount = {
  id: '4711',
  username: 'octocat',
  email: 'octocat@mail.test',
  isEmailVerified: true,
}

test.each(providers)('%s tells the lasting id, the handle and the address', async (provider) => {
  await expect(fetchProfile(adapterOf(provider), provider, { account })).resolves.toEqual({
    issuer: { github: github.url, discord: discord.url }[provider],
    subject: '4711',
    username: 'octocat',
    email: 'octocat@mail.test',
    isEmailVerified: true,
    roles: null,
    session: null,
  })
})

test.each(providers)('%s may deny that the address is proven, or tell none', async (provider) => {
  const unproven = { ...account, isEmailVerified: false }
  await expect(
    fetchProfile(adapterOf(provider), provider, { account: unproven }),
  ).resolves.toMatchObject({ isEmailVerified: false })
  const hidden = { id: '4712', username: 'hidden' }
  await expect(
    fetchProfile(adapterOf(provider), provider, { account: hidden }),
  ).resolves.toMatchObject({ subject: '4712', email: null })
})

test.each(providers)('%s gives nothing for a code that is not right', async (provider) => {
  const used: string[] = []
  await fetchProfile(adapterOf(provider), provider, { account }, ({ searchParams }) => {
    used.push(searchParams.get('code') ?? '')
  })
  for (const code of ['made-up', used[0] ?? '']) {
    const again = fetchProfile(adapterOf(provider), provider, { account }, (url) =>
      url.searchParams.set('code', code),
    )
    await expect(again).rejects.toMatchObject({ code: 'invalid_token' })
  }
  const wrong = { [`oauth.${provider}-clientSecret`]: 'wrong' }
  await expect(
    fetchProfile(adapterOf(provider, wrong), provider, { account }),
  ).rejects.toMatchObject({ code: 'invalid_token' })
})

test.each(
  providers.flatMap((provider) => [
    { provider, status: 503, body: '<h1>Unavailable</h1>' },
    { provider, status: 200, body: '<h1>Welcome</h1>' },
    { provider, status: 200, body: '{"id":null}' },
    { provider, status: 401, body: '{"message":"Bad credentials"}' },
  ]),
)('knows nobody when $provider returns $status $body', async ({ provider, status, body }) => {
  github.outage = { status, body }
  discord.outage = { status, body }
  await expect(fetchProfile(adapterOf(provider), provider, { account })).rejects.toMatchObject({
    code: 'cannot_get_user_info',
  })
})

test.each(providers)('knows nobody while %s cannot be reached', async (provider) => {
  const adapters = createSocialAdapters({
    providerUrls: {
      github: github.url,
      githubApi: 'http://127.0.0.1:1',
      google: '',
      microsoft: '',
      discord: 'http://127.0.0.1:1',
    },
    clock: () => new Date(),
  })
  const settings = settingsWith({
    'oauth.github-clientId': github.clientId,
    'oauth.github-clientSecret': github.clientSecret,
    'oauth.discord-clientId': discord.clientId,
    'oauth.discord-clientSecret': discord.clientSecret,
  })
  const adapter = adapters.adapterOf(provider, settings)
  if (provider === 'github') {
    await expect(fetchProfile(adapter, provider, { account })).rejects.toMatchObject({
      code: 'cannot_get_user_info',
    })
  } else {
    const callbackUrl = new URL('http://localhost:1/api/oauth/callback/discord?code=c&state=s')
    await expect(
      adapter.fetchProfile({ callbackUrl, state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) }),
    ).rejects.toMatchObject({ code: 'cannot_get_user_info' })
  }
})

test('Discord lets members of one server in, when that is asked for', async () => {
  const limited = { 'oauth.discord-limitedGuild': '900' }
  const member = { ...account, guildIds: ['800', '900'] }
  await expect(
    fetchProfile(adapterOf('discord', limited), 'discord', { account: member }),
  ).resolves.toMatchObject({ subject: '4711' })
  for (const guildIds of [[], ['800'], ['9000']]) {
    await expect(
      fetchProfile(adapterOf('discord', limited), 'discord', { account: { ...account, guildIds } }),
    ).rejects.toMatchObject({ code: 'discord_guild_permission_denied' })
  }
})

test('Discord lets listed users in alone, who still have to be members of the server', async () => {
  const profileWith = (settings: object, guildIds: string[] = []) =>
    fetchProfile(adapterOf('discord', settings), 'discord', { account: { ...account, guildIds } })
  const denied = { code: 'discord_guild_permission_denied' }
  for (const list of ['4711', '1, 4711', '1\n4711']) {
    const limited = { 'oauth.discord-limitedUsers': list }
    await expect(profileWith(limited)).resolves.toMatchObject({ subject: '4711' })
    const both = { ...limited, 'oauth.discord-limitedGuild': '900' }
    await expect(profileWith(both)).rejects.toMatchObject(denied)
    await expect(profileWith(both, ['900'])).resolves.toMatchObject({ subject: '4711' })
  }
  for (const list of ['471', '47110, 1']) {
    const limited = { 'oauth.discord-limitedUsers': list }
    await expect(profileWith(limited)).rejects.toMatchObject(denied)
  }
})

test('Discord is asked for the servers only when they matter', async () => {
  const scopeOf = async (changes: object) => {
    const url = await adapterOf('discord', changes).authorizationUrl({
      state: 's',
      nonce: 'n',
      codeChallenge: 'c',
      redirectUri: 'http://localhost:1/callback',
    })
    return url.searchParams.get('scope')
  }
  await expect(scopeOf({})).resolves.toBe('identify email')
  await expect(scopeOf({ 'oauth.discord-limitedGuild': '900' })).resolves.toBe(
    'identify email guilds',
  )
})
