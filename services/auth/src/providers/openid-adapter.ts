import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  fetchUserInfo,
} from 'openid-client'
import { type SocialAdapter, SocialError, type SocialProfile } from '../domain/social-ports.ts'
import { asking, redeeming } from './failures.ts'
import { readRoles } from './claimed-roles.ts'
import { readLogoutToken } from './logout-token.ts'
import { readEmail, readFlag, readLine } from './profile-text.ts'
import { assertTransport } from './requests.ts'
import { tryClient } from './try-client.ts'

const usualUsernameClaims = ['preferred_username', 'nickname', 'name']
const SUBJECT_MAX_LENGTH = 255

type Claims = Readonly<Record<string, unknown>>

export interface OpenIdAdapterOptions {
  open(): Promise<Configuration>
  scope: string
  /** The claim an administrator named; `null` for the usual ones. */
  usernameClaim: string | null
  /** Namespace of this provider's accounts; `null` means its issuer. */
  issuer: string | null
  /** Where the claims name roles, as JMESPath; `null` where none are asked for. */
  rolePath?: string | null
}

/** OpenID Connect: what is known of the account comes from a verified ID token. */
export function createOpenIdAdapter({
  open,
  scope,
  usernameClaim,
  issuer,
  rolePath = null,
}: OpenIdAdapterOptions): SocialAdapter {
  return {
    async authorizationUrl({ state, nonce, codeChallenge, redirectUri }) {
      const configuration = await open()
      return asking(async () =>
        assertTransport(
          buildAuthorizationUrl(configuration, {
            redirect_uri: redirectUri,
            scope: withOpenId(scope),
            state,
            nonce,
            code_challenge: codeChallenge,
            code_challenge_method: 'S256',
          }),
        ),
      )
    },

    async fetchProfile({ callbackUrl, state, nonce, codeVerifier }) {
      const configuration = await open()
      const { claims, accessToken, idToken } = await redeeming(async () => {
        const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        return {
          claims: tokens.claims(),
          accessToken: tokens.access_token,
          idToken: tokens.id_token ?? '',
        }
      })
      if (!claims) throw new SocialError('invalid_token', 'there is no ID token')
      const wanted = usernameClaim === null ? usualUsernameClaims : [usernameClaim]
      const hasRoles = rolePath === null || readRoles(claims, rolePath).length > 0
      const all =
        isComplete(claims, wanted) && hasRoles
          ? claims
          : { ...(await askUserinfo(configuration, accessToken, claims.sub)), ...claims }
      const metadata = configuration.serverMetadata()
      return toProfile(all, {
        issuer: issuer ?? metadata.issuer.replace(/\/+$/, ''),
        subject: claims.sub,
        usernameClaims: [...wanted, ...usualUsernameClaims],
        roles: rolePath === null ? null : readRoles(all, rolePath),
        session: { sid: readLine(claims['sid']), idToken },
      })
    },

    async signOutUrl({ idToken, returnTo }) {
      const configuration = await open()
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null
      return assertTransport(
        buildEndSessionUrl(configuration, {
          id_token_hint: idToken,
          post_logout_redirect_uri: returnTo,
        }),
      )
    },

    readLogoutToken: async (token) => readLogoutToken(await open(), token),

    tryOut: async (redirectUri) => tryClient(await open(), redirectUri),
  }
}

/** Without it there is no ID token (OpenID Connect Core §3.1.2.1). */
function withOpenId(scope: string): string {
  const scopes = scope.split(/\s+/).filter((one) => one !== '')
  return scopes.includes('openid') ? scopes.join(' ') : ['openid', ...scopes].join(' ')
}

function isComplete(claims: Claims, usernameClaims: readonly string[]): boolean {
  return (
    readLine(claims['email']) !== null &&
    usernameClaims.some((name) => readLine(claims[name]) !== null)
  )
}

async function askUserinfo(
  configuration: Configuration,
  accessToken: string,
  subject: string,
): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  const claims = await asking(() => fetchUserInfo(configuration, accessToken, subject))
  // Left out where the provider has nothing to tell.
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null))
}

function toProfile(
  claims: Claims,
  {
    issuer,
    subject,
    usernameClaims,
    roles,
    session,
  }: {
    issuer: string
    subject: string
    usernameClaims: readonly string[]
    roles: readonly string[] | null
    session: SocialProfile['session']
  },
): SocialProfile {
  if (subject.length > SUBJECT_MAX_LENGTH || subject.includes('\u0000')) {
    throw new SocialError('cannot_get_user_info', 'the subject cannot be kept')
  }
  const email = readEmail(claims['email'])
  const names = usernameClaims.map((name) => readLine(claims[name]))
  return {
    issuer,
    subject,
    username: names.find((name) => name !== null) ?? email ?? subject,
    email,
    isEmailVerified: readFlag(claims['email_verified']),
    roles,
    session,
  }
}
