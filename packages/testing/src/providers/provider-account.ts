/** The person at the browser, as the provider knows them. */
export interface ProviderAccount {
  /** The provider's own id of the account; digits at GitHub and Discord. */
  id: string
  /** `preferred_username`, or the handle at GitHub and Discord. */
  username?: string
  email?: string
  isEmailVerified?: boolean
  /** OpenID Connect: the ID token names the subject alone, the rest is told by userinfo. */
  hasBareIdToken?: boolean
  /** OpenID Connect: further claims. */
  claims?: Record<string, unknown>
  /** Discord: the servers the account is a member of. */
  guildIds?: string[]
}

/** The account's claims as OpenID Connect names them; absent ones are left out. */
export function claimsOf(account: ProviderAccount): Record<string, unknown> {
  const { username, email, isEmailVerified, claims = {} } = account
  return {
    ...(username === undefined ? {} : { preferred_username: username }),
    ...(email === undefined ? {} : { email }),
    ...(isEmailVerified === undefined ? {} : { email_verified: isEmailVerified }),
    ...claims,
  }
}
