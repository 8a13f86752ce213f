import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Gives a link's password. Throws `wrong_password`, `reverse_share_not_found`. */
export function unlockReverseShare(
  http: HttpClient,
  token: string,
  password: string,
): Promise<void> {
  return http.request({
    method: 'POST',
    path: `/api/reverseShares/${encodeURIComponent(token)}/access`,
    body: { password },
  })
}
