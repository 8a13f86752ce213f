import type { Environment } from '@floe/config'
import type { SourceSetting } from '@floe/import'

const WELL_KNOWN = '/.well-known/openid-configuration'

/** Whose ids the accounts of a provider are, as a sign-in here will see it; null for unknown ones. */
export function createIssuers(
  { providerUrls }: Pick<Environment, 'providerUrls'>,
  settings: readonly SourceSetting[],
): (provider: string) => string | null {
  const discoveryUri = settings.find(({ key }) => key === 'oauth.oidc-discoveryUri')?.value ?? ''
  const issuers = new Map<string, string>([
    ['github', providerUrls.github],
    ['google', providerUrls.google],
    ['microsoft', providerUrls.microsoft],
    ['discord', providerUrls.discord],
  ])
  if (discoveryUri !== '') {
    issuers.set('oidc', discoveryUri.replace(WELL_KNOWN, '').replace(/\/+$/, ''))
  }
  return (provider) => issuers.get(provider) ?? null
}
