import { loginTokenSchema, type SignInInput, tokensSchema } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Signs in, or returns the token for the second step. Throws `wrong_credentials`. */
export async function signIn(
  http: HttpClient,
  input: SignInInput,
): Promise<{ loginToken: string } | null> {
  const result = await http.request({
    method: 'POST',
    path: '/api/auth/signIn',
    body: input,
    response: z.union([tokensSchema, loginTokenSchema]),
  })
  if ('loginToken' in result) return result
  http.recordAccessToken(result.accessToken)
  return null
}

/** What was typed is an e-mail address if it has an at-sign, else a username. */
export function toSignInInput(identifier: string, password: string): SignInInput {
  const name = identifier.trim()
  return name.includes('@') ? { email: name, password } : { username: name, password }
}
