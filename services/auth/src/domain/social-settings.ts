import { type Settings, type SocialProvider, socialProviders } from '@floe/contracts'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

export function clientCredentials(settings: Settings, provider: SocialProvider): ClientCredentials {
  return {
    clientId: settings[`oauth.${provider}-clientId`].trim(),
    clientSecret: settings[`oauth.${provider}-clientSecret`].trim(),
  }
}

/** Switched on and filled in, in the order they are shown. */
export function availableProviders(settings: Settings): SocialProvider[] {
  return socialProviders.filter(
    (provider) => settings[`oauth.${provider}-enabled`] && isFilledIn(settings, provider),
  )
}

export function isFilledIn(settings: Settings, provider: SocialProvider): boolean {
  const { clientId, clientSecret } = clientCredentials(settings, provider)
  const hasServer = provider !== 'oidc' || URL.canParse(settings['oauth.oidc-discoveryUri'])
  return clientId !== '' && clientSecret !== '' && hasServer
}
