import type { Settings, SocialProvider } from '@floe/contracts'
import type { SocialAdapter, SocialAdapters } from '../domain/social-ports.ts'
import { clientCredentials } from '../domain/social-settings.ts'
import { createDiscordAdapter } from './discord.ts'
import { createGithubAdapter } from './github.ts'
import { createMicrosoftAdapter } from './microsoft.ts'
import { createOpenIdAdapter } from './openid-adapter.ts'
import { createOpenIdConfigurations, type OpenIdConfigurations } from './openid-configurations.ts'
import { REQUEST_TIMEOUT_SECONDS } from './requests.ts'

/** Base addresses of the social login providers, without a slash at the end. */
export interface ProviderUrls {
  github: string
  githubApi: string
  google: string
  microsoft: string
  discord: string
}

export function createSocialAdapters({
  providerUrls,
  clock,
  timeoutSeconds = REQUEST_TIMEOUT_SECONDS,
}: {
  providerUrls: ProviderUrls
  clock: () => Date
  timeoutSeconds?: number
}): SocialAdapters {
  const configurations = createOpenIdConfigurations({ clock, timeoutSeconds })
  const adapters: Record<SocialProvider, (settings: Settings) => SocialAdapter> = {
    github: (settings) =>
      createGithubAdapter({
        settings,
        url: providerUrls.github,
        apiUrl: providerUrls.githubApi,
        timeoutSeconds,
      }),
    google: (settings) =>
      createOpenIdAdapter({
        open: () =>
          configurations.open('google', {
            ...clientCredentials(settings, 'google'),
            discoveryUri: providerUrls.google,
          }),
        scope: 'openid profile email',
        usernameClaim: null,
        issuer: providerUrls.google,
      }),
    microsoft: (settings) =>
      createMicrosoftAdapter({ settings, authority: providerUrls.microsoft, configurations }),
    discord: (settings) =>
      createDiscordAdapter({ settings, url: providerUrls.discord, timeoutSeconds }),
    oidc: (settings) => createOidcAdapter(settings, configurations),
  }
  return { adapterOf: (provider, settings) => adapters[provider](settings) }
}

function createOidcAdapter(settings: Settings, configurations: OpenIdConfigurations) {
  return createOpenIdAdapter({
    open: () =>
      configurations.open('oidc', {
        ...clientCredentials(settings, 'oidc'),
        discoveryUri: settings['oauth.oidc-discoveryUri'],
      }),
    scope: settings['oauth.oidc-scope'],
    usernameClaim: settings['oauth.oidc-usernameClaim'].trim() || null,
    issuer: null,
    rolePath: settings['oauth.oidc-rolePath'].trim() || null,
  })
}
