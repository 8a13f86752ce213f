import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose'
import type { Configuration } from 'openid-client'
import { type LogoutClaims, SocialError } from '../domain/social-ports.ts'
import { asking } from './failures.ts'
import { readLine } from './profile-text.ts'
import { assertTransport, fetchSafely } from './requests.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const CLOCK_TOLERANCE_SECONDS = 60
/** Public keys alone: anybody could sign with what a client shares with its provider by mistake. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/**
 * Validates a logout token as OpenID Connect Back-Channel Logout 1.0, §2.6 asks. Fails with SocialError
 * invalid_token, cannot_get_user_info (the keys of the provider cannot be read).
 */
export async function readLogoutToken(
  configuration: Configuration,
  token: string,
): Promise<LogoutClaims> {
  const { issuer, jwks_uri: keysUri } = configuration.serverMetadata()
  if (keysUri === undefined) throw new SocialError('invalid_token', 'the provider has no keys')
  const keys = createRemoteJWKSet(assertTransport(new URL(keysUri)), {
    [customFetch]: (url, request) =>
      fetchSafely(url, { ...request, headers: { accept: 'application/json' }, body: null }),
  })
  const { client_id: audience } = configuration.clientMetadata()
  const { payload, protectedHeader } = await verifying(() =>
    jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
    }),
  )
  const { sub, iat = 0, events, nonce } = payload
  const sid = readLine(payload['sid'])
  const subject = readLine(sub)
  // An ID token, or any other, must not end a session.
  const isOther = !/^(?:application\/)?logout\+jwt$/i.test(protectedHeader.typ ?? 'logout+jwt')
  if (isOther || nonce !== undefined || !isLogout(events)) throw refuse('is none')
  if (subject === null && sid === null) throw refuse('names nobody')
  return { issuer: issuer.replace(/\/+$/, ''), subject, sid, issuedAt: new Date(iat * 1000) }
}

function isLogout(events: unknown): boolean {
  if (typeof events !== 'object' || events === null) return false
  const event: unknown = Reflect.get(events, EVENT)
  return typeof event === 'object' && event !== null
}

/** What is wrong with the token is told apart from a provider that cannot be asked for its keys. */
async function verifying<T>(verify: () => Promise<T>): Promise<T> {
  return asking(async () => {
    try {
      return await verify()
    } catch (error) {
      const isUnreachable =
        error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)
      if (isUnreachable) throw error
      throw refuse(error.code)
    }
  })
}

function refuse(problem: string): SocialError {
  return new SocialError('invalid_token', `the logout token: ${problem}`)
}
