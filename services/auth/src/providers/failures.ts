import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'
import { SocialError } from '../domain/social-ports.ts'

/** Responses that were read and found wrong, as opposed to responses that never came. */
const refusals: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])

/** While a code is redeemed: what the provider or the ID token gets wrong is invalid_token. */
export function redeeming<T>(work: () => Promise<T>): Promise<T> {
  return translating(work, (error) => (isRefusal(error) ? 'invalid_token' : 'cannot_get_user_info'))
}

/** While the provider is asked for anything else. */
export function asking<T>(work: () => Promise<T>): Promise<T> {
  return translating(work, () => 'cannot_get_user_info')
}

function isRefusal(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.status < 500
  if (error instanceof WWWAuthenticateChallengeError) return true
  return error instanceof ClientError && refusals.has(error.code ?? '')
}

async function translating<T>(
  work: () => Promise<T>,
  codeOf: (error: unknown) => 'invalid_token' | 'cannot_get_user_info',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SocialError) throw error
    throw new SocialError(codeOf(error), describe(error))
  }
}

/** The messages alone: what is attached to these errors holds codes, tokens and claims. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure'
  const { message, cause } = error
  if (error instanceof ResponseBodyError) return `${message}: ${error.error}`
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
