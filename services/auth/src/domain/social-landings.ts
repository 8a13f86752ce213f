import type { Settings, SocialErrorCode, SocialProvider } from '@floe/contracts'

/** Addresses that a browser is sent to on its way to a provider and back. */
export interface SocialLandings {
  /** The callback address registered at the provider. */
  callback: string
  to(path: string): string
  secondStep(loginToken: string, redirect: string): string
  error(code: SocialErrorCode, backTo: string): string
}

export function socialLandings(settings: Settings, provider: SocialProvider): SocialLandings {
  const appUrl = settings['general.appUrl'].replace(/\/+$/, '')
  return {
    callback: `${appUrl}/api/oauth/callback/${provider}`,
    to: (path) => appUrl + path,
    secondStep: (loginToken, redirect) =>
      `${appUrl}/auth/totp/${loginToken}?${new URLSearchParams({ redirect }).toString()}`,
    error(error, redirect) {
      const query = new URLSearchParams({ error, redirect, params: `provider_${provider}` })
      return `${appUrl}/error?${query.toString()}`
    },
  }
}

/** The path that the error page links back to. */
export function startOf({ isLinking, redirect }: { isLinking: boolean; redirect: string }): string {
  if (isLinking) return '/account'
  if (redirect === '/') return '/auth/signIn'
  return `/auth/signIn?${new URLSearchParams({ redirect }).toString()}`
}
