import {
  type CertifiedProvider,
  type ForgingProvider,
  type ProviderAccount,
  type ProviderFault,
  startCertifiedProvider,
  startForgingProvider,
} from '@floe/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callbackUri, fetchProfile, settingsWith } from '../testing/social-flow.ts'
import { createSocialAdapters } from './social-adapters.ts'

const time = { offsetMs: 0 }
const noUrls = { github: '', githubApi: '', google: '', microsoft: '', discord: '' }
const makeAdapters = ({ timeoutSeconds = 10 } = {}) =>
  createSocialAdapters({
    timeoutSeconds,
    providerUrls: noUrls,
    clock: () => new Date(Date.now() + time.offsetMs),
  })
const ada: ProviderAccount = {
  id: 'ada-1',
  username: 'ada',
  email: 'ada@oidc.test',
  isEmailVerified: true,
}

let certified: CertifiedProvider
let forging: ForgingProvider
beforeAll(async () => {
  certified = await startCertifiedProvider({ redirectUris: [callbackUri('oidc')] })
  forging = await startForgingProvider()
})
afterEach(() => {
  forging.fault = null
})
afterAll(() => Promise.all([certified.close(), forging.close()]))

interface Server {
  url: string
  clientId: string
  clientSecret: string
}

function adapterFor(server: Server, changes: object = {}, adapters = makeAdapters()) {
  const settings = settingsWith({
    'oauth.oidc-discoveryUri': server.url,
    'oauth.oidc-clientId': server.clientId,
    'oauth.oidc-clientSecret': server.clientSecret,
    ...changes,
  })
  return adapters.adapterOf('oidc', settings)
}

const signIn = (server: Server, account: ProviderAccount, changes: object = {}) =>
  fetchProfile(adapterFor(server, changes), 'oidc', { account })

test('tells who somebody is by a verified ID token, without asking for more', async () => {
  const asked = certified.userinfoRequests
  await expect(signIn(certified, ada)).resolves.toEqual({
    issuer: certified.url,
    subject: 'ada-1',
    username: 'ada',
    email: 'ada@oidc.test',
    isEmailVerified: true,
    roles: null,
    session: { sid: null, idToken: expect.stringMatching(/^eyJ/) },
  })
  expect(certified.userinfoRequests).toBe(asked)
})

test.each([
  ['a bare ID token', { ...ada, hasBareIdToken: true }, {}],
  ['an ID token without an address', { id: 'bo', username: 'bo' }, {}],
  ['an ID token without the claim that was named', ada, { 'oauth.oidc-usernameClaim': 'handle' }],
])('asks userinfo after %s', async (_what, account, changes) => {
  const asked = certified.userinfoRequests
  const profile = await signIn(certified, account, changes)
  expect(profile).toMatchObject({ subject: account.id, username: account.username })
  expect(certified.userinfoRequests).toBe(asked + 1)
})

test.each([
  ['the claim that was named', { handle: 'countess', name: 'Ada Lovelace' }, 'handle', 'countess'],
  ['the nickname', { nickname: 'addie', name: 'Ada Lovelace' }, '', 'addie'],
  ['the name', { name: 'Ada Lovelace' }, '', 'Ada Lovelace'],
  [
    'the name where the claim that was named is not text',
    { handle: 7, name: 'Ada' },
    'handle',
    'Ada',
  ],
  ['the address', {}, '', 'ada@oidc.test'],
])('calls somebody by %s', async (_what, claims, usernameClaim, username) => {
  const account = { id: 'names', email: 'ada@oidc.test', claims }
  const profile = await signIn(certified, account, { 'oauth.oidc-usernameClaim': usernameClaim })
  expect(profile.username).toBe(username)
})

test.each([
  ['says so', { isEmailVerified: true }, true],
  ['denies it', { isEmailVerified: false }, false],
  ['denies it in text', { claims: { email_verified: 'false' } }, false],
  ['says nothing', {}, null],
])('an address is as proven as the provider %s', async (_what, more, isEmailVerified) => {
  const profile = await signIn(certified, { id: 'proof', email: 'p@oidc.test', ...more })
  expect(profile).toMatchObject({ email: 'p@oidc.test', isEmailVerified })
})

test('takes no address that an account could not have', async () => {
  await expect(signIn(certified, { id: 'odd', username: 'odd' })).resolves.toMatchObject({
    email: null,
  })
  await expect(
    signIn(certified, { id: 'odd', username: 'odd', email: 'a b\n@oidc.test' }),
  ).resolves.toMatchObject({ email: null })
})

test.each(['/.well-known/openid-configuration', '/', ''])(
  'finds the provider by its address with "%s" at the end',
  async (end) => {
    const changes = { 'oauth.oidc-discoveryUri': certified.url + end }
    await expect(signIn(certified, ada, changes)).resolves.toMatchObject({ subject: 'ada-1' })
  },
)

test.each(['', '/', '/.well-known/openid-configuration', '/.well-known/openid-configuration/'])(
  'finds an issuer below a path by its address with "%s" at the end',
  async (end) => {
    const issuer = `${forging.url}/corp-1/v2.0`
    const profile = await signIn(forging, ada, { 'oauth.oidc-discoveryUri': issuer + end })
    expect(profile).toMatchObject({ issuer, subject: 'ada-1' })
  },
)

test('sends the secret by HTTP Basic to a provider that takes it no other way', async () => {
  const basic = await startCertifiedProvider({
    redirectUris: [callbackUri('oidc')],
    clientAuthMethod: 'client_secret_basic',
  })
  await expect(signIn(basic, ada)).resolves.toMatchObject({ subject: 'ada-1' })
  await basic.close()
})

test('asks for an ID token also where the configured scope forgot to', async () => {
  const changes = { 'oauth.oidc-scope': 'profile  email' }
  await expect(signIn(certified, ada, changes)).resolves.toMatchObject({ email: ada.email })
})

test.each<ProviderFault>([
  'wrong nonce',
  'no nonce',
  'forged signature',
  'unsigned ID token',
  'ID token signed with the client secret',
  'wrong audience',
  'wrong issuer',
  'expired ID token',
  'no ID token',
])('refuses a sign-in with %s', async (fault) => {
  const account = { id: 'mallory', username: 'mallory', email: 'm@oidc.test' }
  await expect(signIn(forging, account)).resolves.toMatchObject({ subject: 'mallory' })
  forging.fault = fault
  await expect(signIn(forging, account)).rejects.toMatchObject({ code: 'invalid_token' })
})

test.each<ProviderFault>([
  'userinfo of another account',
  'userinfo broken',
  'keys unreachable',
  'token endpoint broken',
  'discovery broken',
  'issuer of somebody else',
])('does not get to know anybody with %s', async (fault) => {
  forging.fault = fault
  const account = { id: 'mallory', username: 'mallory', email: 'm@oidc.test', hasBareIdToken: true }
  await expect(signIn(forging, account)).rejects.toMatchObject({ code: 'cannot_get_user_info' })
})

test('refuses a code that was made up, or redeemed before', async () => {
  const adapter = adapterFor(certified)
  const madeUp = fetchProfile(adapter, 'oidc', { account: ada }, ({ searchParams }) =>
    searchParams.set('code', 'made-up'),
  )
  await expect(madeUp).rejects.toMatchObject({ code: 'invalid_token' })
  const used: string[] = []
  await fetchProfile(adapter, 'oidc', { account: ada }, ({ searchParams }) => {
    used.push(searchParams.get('code') ?? '')
  })
  const again = fetchProfile(adapter, 'oidc', { account: ada }, ({ searchParams }) =>
    searchParams.set('code', used[0] ?? ''),
  )
  await expect(again).rejects.toMatchObject({ code: 'invalid_token' })
})

test('refuses a response that names another issuer', async () => {
  const mixedUp = fetchProfile(adapterFor(certified), 'oidc', { account: ada }, (url) =>
    url.searchParams.set('iss', 'https://accounts.example'),
  )
  await expect(mixedUp).rejects.toMatchObject({ code: 'invalid_token' })
})

test('refuses what a wrong client secret gets', async () => {
  const changes = { 'oauth.oidc-clientSecret': 'wrong' }
  await expect(signIn(certified, ada, changes)).rejects.toMatchObject({ code: 'invalid_token' })
})

test('reaches no provider by plain http but on this machine', async () => {
  for (const uri of ['http://provider.example', 'http://127.0.0.1.provider.example', 'ftp://x']) {
    const adapter = adapterFor(certified, { 'oauth.oidc-discoveryUri': uri })
    await expect(fetchProfile(adapter, 'oidc', { account: ada })).rejects.toMatchObject({
      code: 'cannot_get_user_info',
      message: expect.stringContaining('https'),
    })
  }
})

test('sends no code to an endpoint without TLS that a provider names', async () => {
  forging.fault = 'http endpoints elsewhere'
  await expect(signIn(forging, ada)).rejects.toMatchObject({
    code: 'cannot_get_user_info',
    message: expect.stringContaining('http://provider.example:'),
  })
})

test('discovers a provider once in five minutes, anew for other settings and after a failure', async () => {
  const adapters = makeAdapters()
  const begin = (changes: object = {}) =>
    adapterFor(forging, changes, adapters).authorizationUrl({
      state: 's',
      nonce: 'n',
      codeChallenge: 'c',
      redirectUri: callbackUri('oidc'),
    })
  const before = forging.discoveryRequests
  forging.fault = 'discovery broken'
  await expect(begin()).rejects.toMatchObject({ code: 'cannot_get_user_info' })
  forging.fault = null
  await Promise.all(Array.from({ length: 5 }, () => begin()))
  expect(forging.discoveryRequests).toBe(before + 2)
  await begin({ 'oauth.oidc-clientId': 'another' })
  expect(forging.discoveryRequests).toBe(before + 3)
  time.offsetMs += 4 * 60_000
  await begin({ 'oauth.oidc-clientId': 'another' })
  expect(forging.discoveryRequests).toBe(before + 3)
  time.offsetMs += 2 * 60_000
  await begin({ 'oauth.oidc-clientId': 'another' })
  expect(forging.discoveryRequests).toBe(before + 4)
})

test.each(['token endpoint silent', 'discovery silent'] as const)(
  'gives up in time with a %s',
  async (fault) => {
    const adapter = adapterFor(forging, {}, makeAdapters({ timeoutSeconds: 0.5 }))
    forging.fault = fault
    await expect(fetchProfile(adapter, 'oidc', { account: ada })).rejects.toMatchObject({
      code: 'cannot_get_user_info',
      message: expect.stringContaining('timed out'),
    })
  },
)
