import type { ConfirmEmailInput } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Makes the change of an address. Throws `invalid_reset_token`, `email_taken`. */
export function confirmEmail(http: HttpClient, input: ConfirmEmailInput): Promise<void> {
  return http.request({ method: 'POST', path: '/api/auth/verify', body: input })
}
