import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Asks for a link by e-mail. Whether the account exists is not told. */
export function requestPasswordReset(http: HttpClient, email: string): Promise<void> {
  return http.request({
    method: 'POST',
    path: `/api/auth/resetPassword/${encodeURIComponent(email)}`,
  })
}
