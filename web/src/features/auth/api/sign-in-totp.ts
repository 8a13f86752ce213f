import { type SignInTotpInput, tokensSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Throws `invalid_totp`; `unauthorized`, `token_expired`, `totp_not_enabled` end the attempt. */
export async function signInTotp(http: HttpClient, input: SignInTotpInput): Promise<void> {
  const tokens = await http.request({
    method: 'POST',
    path: '/api/auth/signIn/totp',
    body: input,
    response: tokensSchema,
  })
  http.recordAccessToken(tokens.accessToken)
}
