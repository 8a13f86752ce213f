import type { Settings } from '@floe/contracts'
import { type SocialAdapter, SocialError } from '../domain/social-ports.ts'
import { clientCredentials } from '../domain/social-settings.ts'
import { createOpenIdAdapter } from './openid-adapter.ts'
import type { OpenIdConfigurations, OpenIdServer } from './openid-configurations.ts'
import { fetchSafely } from './requests.ts'

const PUBLIC_AUTHORITY = 'https://login.microsoftonline.com'

/**
 * Microsoft Entra ID. `common` and `organizations` publish the issuer as a template,
 * `…/{tenantid}/v2.0`, that each ID token fills in by its `tid`. openid-client does so, and
 * accepts an issuer other than the address asked, for the public cloud's host only; so that is
 * what it is asked for, and an authority elsewhere responds in its place.
 */
export function createMicrosoftAdapter({
  settings,
  authority,
  configurations,
}: {
  settings: Settings
  /** Without a slash at the end. */
  authority: string
  configurations: OpenIdConfigurations
}): SocialAdapter {
  const tenant = settings['oauth.microsoft-tenant'].trim() || 'common'
  const server: OpenIdServer = {
    ...clientCredentials(settings, 'microsoft'),
    discoveryUri: `${PUBLIC_AUTHORITY}/${encodeURIComponent(tenant)}/v2.0`,
    fetch: (url, options) => fetchSafely(atAuthority(url, authority), options),
  }
  return createOpenIdAdapter({
    scope: 'openid profile email',
    usernameClaim: null,
    issuer: authority,
    async open() {
      const configuration = await configurations.open('microsoft', server)
      const { issuer } = configuration.serverMetadata()
      if (!issuer.startsWith(`${authority}/`)) {
        throw new SocialError('cannot_get_user_info', `${authority} names another issuer`)
      }
      return configuration
    },
  })
}

function atAuthority(url: string, authority: string): string {
  return url.startsWith(`${PUBLIC_AUTHORITY}/`)
    ? authority + url.slice(PUBLIC_AUTHORITY.length)
    : url
}
