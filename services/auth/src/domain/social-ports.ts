import type {
  AuditEvent,
  Settings,
  SocialErrorCode,
  SocialLink,
  SocialProvider,
} from '@floe/contracts'
import type { EmailProof } from './ports.ts'
import type { SessionOrigin, User } from './user.ts'

/** Ends a social sign-in on the error page. The message is for the log and holds no secret. */
export class SocialError extends Error {
  override readonly name = 'SocialError'
  readonly code: SocialErrorCode

  constructor(code: SocialErrorCode, message: string = code) {
    super(message)
    this.code = code
  }
}

/** A user's profile at a provider. */
export interface SocialProfile {
  /** Whose `subject` it is: another installation of the same software has its own. */
  issuer: string
  /** The provider's lasting id of the account. */
  subject: string
  /** The provider's display name; not yet a username here. */
  username: string
  email: string | null
  /** `null` where the provider does not say. */
  isEmailVerified: boolean | null
  /** What the claims name; `null` where nothing says where they do. */
  roles: readonly string[] | null
  /** What ends the session there; `null` where the provider has no such thing. */
  session: { sid: string | null; idToken: string } | null
}

/** What a logout token (OpenID Connect Back-Channel Logout 1.0, §2.4) names; one of both is set. */
export interface LogoutClaims {
  issuer: string
  subject: string | null
  sid: string | null
  issuedAt: Date
}

export interface AuthorizationRequest {
  state: string
  nonce: string
  /** RFC 7636, method S256. */
  codeChallenge: string
  redirectUri: string
}

export interface AuthorizationResponse {
  /** The redirect URI with the query the provider sent the browser back with. */
  callbackUrl: URL
  state: string
  nonce: string
  codeVerifier: string
}

/** What a trial of a provider found. */
export interface SocialTrial {
  issuer: string
  /** The address where people sign in. */
  signInPage: string
}

/** One provider, as it is configured right now. */
export interface SocialAdapter {
  /** Fails with SocialError cannot_get_user_info while the provider cannot be reached. */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>
  /**
   * Redeems the code. Fails with SocialError invalid_token (state, code, or anything about the ID
   * token is not right), cannot_get_user_info (unreachable, or a response that makes no sense),
   * discord_guild_permission_denied.
   */
  fetchProfile(response: AuthorizationResponse): Promise<SocialProfile>
  /**
   * Where a browser signs out there (OpenID Connect RP-Initiated Logout 1.0); `null` where it cannot.
   * Fails with SocialError cannot_get_user_info.
   */
  signOutUrl?(request: { idToken: string; returnTo: string }): Promise<URL | null>
  /**
   * Reads a logout token. Fails with SocialError invalid_token, cannot_get_user_info.
   */
  readLogoutToken?(token: string): Promise<LogoutClaims>
  /**
   * Whether the provider is there and takes the client, without anybody signing in. Fails with
   * SocialError invalid_token (it refused the client), cannot_get_user_info.
   */
  tryOut(redirectUri: string): Promise<SocialTrial>
}

export interface SocialAdapters {
  adapterOf(provider: SocialProvider, settings: Settings): SocialAdapter
}

/** A profile as it is kept: what tells the account, and how to show it. */
export interface SocialIdentity {
  provider: SocialProvider
  issuer: string
  subject: string
  username: string
}

export interface NewSocialUser {
  identity: SocialIdentity
  /** A valid username that may be taken. */
  username: string
  email: string | null
  /** The provider vouches for the address. */
  isEmailVerified: boolean
  /** What is asked of the user where it does not, if anything. */
  emailProof: EmailProof | null
  createdAt: Date
  origin: SessionOrigin
}

export type Unlinking = 'unlinked' | 'not-linked' | 'last-way-in'

/** They do not hold for the first user. */
export interface SocialSignUpRules {
  isRegistrationOpen: boolean
  /** Its domain may be that of an account. */
  isEmailAllowed: boolean
  needsApproval: boolean
}

export interface IdentityStore {
  findUser(identity: SocialIdentity): Promise<User | null>
  listLinks(userId: string): Promise<SocialLink[]>
  /** `false` when the identity is anybody's already, or the user has one of this provider. */
  link(
    userId: string,
    identity: SocialIdentity,
    options: { now: Date; auditEvent: AuditEvent },
  ): Promise<boolean>
  /**
   * The user of this identity: a new one without a password, unless another request made it first.
   * The first user becomes the administrator and needs no open registration. Fails with
   * SocialError no_user, no_email, email_domain_refused, email_already_exists.
   */
  createUser(account: NewSocialUser, rules: SocialSignUpRules): Promise<User>
  /** `otherWaysIn` are the providers that a user without a password could still sign in by. */
  unlink(
    userId: string,
    provider: SocialProvider,
    options: {
      otherWaysIn: readonly SocialProvider[]
      isConfirmed: boolean
      auditEvent: AuditEvent
    },
  ): Promise<Unlinking>
}
