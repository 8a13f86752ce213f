import { randomUUID } from 'node:crypto'
import { type CertifiedProvider, type ProviderAccount, startCertifiedProvider } from '@floe/testing'
import type { Page } from 'playwright-core'
import type { Journey } from './journey.ts'

export function startProvider({ floe }: Journey): Promise<CertifiedProvider> {
  return startCertifiedProvider({
    redirectUris: [`${floe.url}/api/oauth/callback/oidc`],
    postLogoutRedirectUris: [`${floe.url}/`],
    backChannelLogoutUri: () => `${floe.url}/api/oauth/logout/oidc`,
  })
}

/** What an administrator has to enter to have people sign in there. */
export function providerSettings({ url, clientId, clientSecret }: CertifiedProvider) {
  return {
    'oauth.oidc-enabled': true,
    'oauth.oidc-discoveryUri': `${url}/.well-known/openid-configuration`,
    'oauth.oidc-clientId': clientId,
    'oauth.oidc-clientSecret': clientSecret,
  }
}

/** Somebody the provider knows and this Floe does not. */
export function newProviderAccount(): ProviderAccount & { username: string; email: string } {
  const username = `member_${randomUUID().slice(0, 8)}`
  return { id: username, username, email: `${username}@example.org`, isEmailVerified: true }
}

/** On the provider's page: goes on as somebody, or not at all, or has the provider break down. */
export async function decide(
  page: Page,
  decision: ProviderAccount | 'cancel' | 'fail',
  name = 'OpenID Connect',
): Promise<void> {
  await page.getByRole('heading', { name: `Sign in with ${name}` }).waitFor()
  if (typeof decision === 'string') {
    const button = decision === 'cancel' ? 'Cancel' : 'Fail'
    await page.getByRole('button', { name: button }).click()
    return
  }
  await page.getByLabel('Account').fill(JSON.stringify(decision))
  await page.getByRole('button', { name: 'Continue' }).click()
}
