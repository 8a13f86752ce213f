import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Deletes a reverse share with everything sent through it. Throws `reverse_share_not_found`. */
export function deleteReverseShare(http: HttpClient, id: string): Promise<void> {
  return http.request({ method: 'DELETE', path: `/api/reverseShares/${encodeURIComponent(id)}` })
}
