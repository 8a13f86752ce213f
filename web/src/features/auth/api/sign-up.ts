import { signUpResponseSchema, type SignUpInput, type UserView } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Throws `email_taken`, `username_taken`, `registration_disabled`. */
export async function signUp(http: HttpClient, input: SignUpInput): Promise<UserView> {
  const result = await http.request({
    method: 'POST',
    path: '/api/auth/signUp',
    body: input,
    response: signUpResponseSchema,
  })
  http.recordAccessToken(result.accessToken)
  return result.user
}
