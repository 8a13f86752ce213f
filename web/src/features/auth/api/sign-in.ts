import { type SignInInput, tokensSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Throws `wrong_credentials`. */
export async function signIn(http: HttpClient, input: SignInInput): Promise<void> {
  const tokens = await http.request({
    method: 'POST',
    path: '/api/auth/signIn',
    body: input,
    answer: tokensSchema,
  })
  http.noteAccessToken(tokens.accessToken)
}

/** What was typed is an e-mail address if it has an at-sign, else a username. */
export function toSignInInput(identifier: string, password: string): SignInInput {
  const name = identifier.trim()
  return name.includes('@') ? { email: name, password } : { username: name, password }
}
