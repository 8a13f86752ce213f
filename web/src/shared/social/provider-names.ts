import type { SocialProvider } from '@floe/contracts'

/** Names the providers call themselves, in every language. */
export const providerNames: Readonly<Record<SocialProvider, string>> = {
  github: 'GitHub',
  google: 'Google',
  microsoft: 'Microsoft',
  discord: 'Discord',
  oidc: 'OpenID Connect',
}
