import type { HttpClient } from './http-client.ts'

/** Throws `share_not_found`, `share_anonymous_delete`. */
export function deleteShare(http: HttpClient, shareId: string): Promise<void> {
  return http.request({ method: 'DELETE', path: `/api/shares/${encodeURIComponent(shareId)}` })
}
