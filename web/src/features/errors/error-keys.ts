import { type SocialErrorCode, socialErrorCodes, socialProviders } from '@floe/contracts'
import { providerNames } from '../../shared/social/provider-names.ts'

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
  cannot_get_user_info: 'errorPage.cannotGetUserInfo',
  email_already_exists: 'errorPage.emailAlreadyExists',
  role_missing: 'errorPage.roleMissing',
  account_waiting: 'errorPage.accountWaiting',
  email_domain_refused: 'errorPage.emailDomainRefused',
  default: 'errorPage.socialDefault',
} as const satisfies Record<SocialErrorCode, string>

type ErrorPageKey = (typeof keys)[SocialErrorCode]

/** The text for a failed social sign-in; `errorPage.default` for anything else that failed. */
export function errorKeyOf(code: string | null): ErrorPageKey | 'errorPage.default' {
  const known = socialErrorCodes.find((candidate) => candidate === code)
  return known === undefined ? 'errorPage.default' : keys[known]
}

/** Reads `provider_github` out of the comma list that the address carries. */
export function providerNameOf(params: string | null): string | null {
  const listed = params?.split(',') ?? []
  const provider = socialProviders.find((id) => listed.includes(`provider_${id}`))
  return provider === undefined ? null : providerNames[provider]
}
