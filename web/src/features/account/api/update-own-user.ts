import { type UpdateOwnUserInput, userSchema, type UserView } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/**
 * Throws `username_taken`, `email_taken`; for another address also `wrong_password`,
 * `recent_sign_in_required`, `invalid_totp`.
 */
export function updateOwnUser(http: HttpClient, input: UpdateOwnUserInput): Promise<UserView> {
  return http.request({ method: 'PATCH', path: '/api/users/me', body: input, response: userSchema })
}
