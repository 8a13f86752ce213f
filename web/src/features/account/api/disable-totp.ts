import type { HttpClient } from '../../../shared/api/http-client.ts'
import type { Confirmation } from '../confirmation.ts'

/** `code` may be a recovery code. Throws `wrong_password`, `invalid_totp`, `totp_not_enabled`. */
export function disableTotp(
  http: HttpClient,
  confirmation: Confirmation & { code: string },
): Promise<void> {
  return http.request({ method: 'POST', path: '/api/auth/totp/disable', body: confirmation })
}
