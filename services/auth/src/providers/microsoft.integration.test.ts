import { type ForgingProvider, startForgingProvider, TENANT_ID } from '@floe/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fetchProfile, settingsWith } from '../testing/social-flow.ts'
import { createSocialAdapters } from './social-adapters.ts'

let microsoft: ForgingProvider
beforeAll(async () => {
  microsoft = await startForgingProvider()
})
afterEach(() => {
  microsoft.fault = null
})
afterAll(() => microsoft.close())

function signIn(tenant: string) {
  const adapters = createSocialAdapters({
    providerUrls: {
      github: '',
      githubApi: '',
      google: '',
      microsoft: microsoft.url,
      discord: '',
    },
    clock: () => new Date(),
  })
  const settings = settingsWith({
    'oauth.microsoft-tenant': tenant,
    'oauth.microsoft-clientId': microsoft.clientId,
    'oauth.microsoft-clientSecret': microsoft.clientSecret,
  })
  const account = { id: 'AAAA-sub', username: 'ada@corp.example', email: 'ada@corp.example' }
  return fetchProfile(adapters.adapterOf('microsoft', settings), 'microsoft', { account })
}

test.each(['common', 'organizations', 'consumers', 'corp.example', TENANT_ID, ''])(
  'signs in by the tenant "%s", whatever its issuer is called',
  async (tenant) => {
    await expect(signIn(tenant)).resolves.toEqual({
      issuer: microsoft.url,
      subject: 'AAAA-sub',
      username: 'ada@corp.example',
      email: 'ada@corp.example',
      isEmailVerified: null,
      roles: null,
      session: { sid: null, idToken: expect.stringMatching(/^eyJ/) },
    })
  },
)

test.each(['common', TENANT_ID])('refuses tokens of other issuers for %s', async (tenant) => {
  microsoft.fault = 'wrong issuer'
  await expect(signIn(tenant)).rejects.toMatchObject({ code: 'invalid_token' })
  microsoft.fault = 'forged signature'
  await expect(signIn(tenant)).rejects.toMatchObject({ code: 'invalid_token' })
})

test('refuses a token whose tenant is not that of its issuer', async () => {
  microsoft.fault = 'another tenant'
  await expect(signIn('common')).rejects.toMatchObject({ code: 'invalid_token' })
})

test('takes no issuer from elsewhere', async () => {
  microsoft.fault = 'issuer of somebody else'
  await expect(signIn('common')).rejects.toMatchObject({ code: 'cannot_get_user_info' })
})
