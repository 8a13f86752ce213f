import type { HttpClient } from '../../../shared/api/http-client.ts'
import type { Confirmation } from '../confirmation.ts'

/** From here on a code is asked for. Throws `invalid_totp`, `totp_not_in_progress`. */
export function verifyTotp(
  http: HttpClient,
  confirmation: Confirmation & { code: string },
): Promise<void> {
  return http.request({ method: 'POST', path: '/api/auth/totp/verify', body: confirmation })
}
