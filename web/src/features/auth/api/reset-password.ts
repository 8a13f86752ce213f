import type { ResetPasswordInput } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Sets a new password and ends every session. Throws `invalid_reset_token`. */
export function resetPassword(http: HttpClient, input: ResetPasswordInput): Promise<void> {
  return http.request({ method: 'POST', path: '/api/auth/resetPassword', body: input })
}
