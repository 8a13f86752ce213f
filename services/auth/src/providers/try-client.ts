import { randomBytes } from 'node:crypto'
import {
  authorizationCodeGrant,
  ClientError,
  type Configuration,
  randomPKCECodeVerifier,
  ResponseBodyError,
} from 'openid-client'
import { z } from 'zod'
import { SocialError, type SocialTrial } from '../domain/social-ports.ts'
import { asking } from './failures.ts'

/**
 * Responses that refuse the client itself, or its redirect address, rather than the code: RFC 6749
 * §5.2 and the words GitHub and Google have of their own.
 */
const clientRefusals: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
])

const responseSchema = z.object({ error: z.string(), error_description: z.string().optional() })
const brokenSuccessSchema = z.object({ body: responseSchema })
type TokenError = z.infer<typeof responseSchema>

/**
 * Redeems a code nobody was given. A provider that refuses the code has found the client and its
 * secret in order; one that refuses the client says so instead. Fails with SocialError
 * invalid_token (it refused the client), cannot_get_user_info.
 */
export async function tryClient(
  configuration: Configuration,
  redirectUri: string,
): Promise<SocialTrial> {
  const { issuer, authorization_endpoint: signInPage = '' } = configuration.serverMetadata()
  const state = randomBytes(16).toString('hex')
  const callbackUrl = new URL(redirectUri)
  // RFC 9207: some providers have their issuer named.
  const response = { code: randomBytes(16).toString('hex'), state, iss: issuer }
  callbackUrl.search = new URLSearchParams(response).toString()
  await asking(async () => {
    try {
      await authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: state,
        pkceCodeVerifier: randomPKCECodeVerifier(),
      })
    } catch (error) {
      const refusal = tokenErrorOf(error)
      if (!refusal) throw error
      if (clientRefusals.has(refusal.error))
        throw new SocialError('invalid_token', describe(refusal))
    }
  })
  return { issuer, signInPage }
}

function tokenErrorOf(error: unknown): TokenError | null {
  if (error instanceof ResponseBodyError) {
    const { error: code, error_description: description } = error
    return { error: code, ...(description === undefined ? {} : { error_description: description }) }
  }
  // GitHub says it with status 200, which the library takes for a broken success.
  if (!(error instanceof ClientError) || !(error.cause instanceof Error)) return null
  return brokenSuccessSchema.safeParse(error.cause.cause).data?.body ?? null
}

function describe({ error, error_description: description }: TokenError): string {
  return description === undefined ? error : `${error}: ${description}`
}
