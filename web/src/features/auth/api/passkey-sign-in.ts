import {
  type PasskeyOptions,
  passkeyRoutes,
  type SignInPasskeyInput,
  tokensSchema,
} from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** What the browser is asked; with a login token also what else the second step takes. */
export function requestPasskey(
  http: HttpClient,
  loginToken?: string,
): Promise<{ options: PasskeyOptions | null; hasTotp: boolean }> {
  return http.request({
    method: 'POST',
    path: passkeyRoutes.requestPasskey.path,
    body: { loginToken },
    response: passkeyRoutes.requestPasskey.response,
  })
}

/** Throws `passkey_refused`; `unauthorized` and `token_expired` end the attempt. */
export async function signInPasskey(http: HttpClient, input: SignInPasskeyInput): Promise<void> {
  const tokens = await http.request({
    method: 'POST',
    path: passkeyRoutes.signInPasskey.path,
    body: input,
    response: tokensSchema,
  })
  http.recordAccessToken(tokens.accessToken)
}
