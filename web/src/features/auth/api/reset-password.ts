import { type ResetPasswordInput, tokensSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/**
 * Sets a new password and ends every session. Whether it was the first one of the account, and
 * signed its user in. Throws `invalid_reset_token`.
 */
export async function resetPassword(http: HttpClient, input: ResetPasswordInput): Promise<boolean> {
  const tokens = await http.request({
    method: 'POST',
    path: '/api/auth/resetPassword',
    body: input,
    response: tokensSchema.optional(),
  })
  if (tokens) http.recordAccessToken(tokens.accessToken)
  return tokens !== undefined
}
