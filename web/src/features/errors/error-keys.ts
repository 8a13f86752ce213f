const keys = {
  access_denied: 'errorPage.accessDenied',
  expired_token: 'errorPage.expiredToken',
  invalid_token: 'errorPage.invalidToken',
  no_user: 'errorPage.noUser',
  no_email: 'errorPage.noEmail',
  already_linked: 'errorPage.alreadyLinked',
  not_linked: 'errorPage.notLinked',
  unverified_account: 'errorPage.unverifiedAccount',
  discord_guild_permission_denied: 'errorPage.notAllowed',
  user_not_allowed: 'errorPage.notAllowed',
  cannot_get_user_info: 'errorPage.cannotGetUserInfo',
} as const

type ErrorPageKey = (typeof keys)[keyof typeof keys]

export function errorKeyOf(code: string | null): ErrorPageKey | 'errorPage.default' {
  const known: Record<string, ErrorPageKey> = keys
  return (code !== null && Object.hasOwn(known, code) && known[code]) || 'errorPage.default'
}

const providerNames: Record<string, string> = {
  github: 'GitHub',
  google: 'Google',
  microsoft: 'Microsoft',
  discord: 'Discord',
  oidc: 'OpenID Connect',
}

/** Reads `provider_github` out of the comma list that the address carries. */
export function providerOf(params: string | null): string {
  const id = params
    ?.split(',')
    .map((param) => /^provider_(\w+)$/.exec(param)?.[1])
    .find((name) => name !== undefined)
  return (id !== undefined && Object.hasOwn(providerNames, id) && providerNames[id]) || 'OAuth'
}
