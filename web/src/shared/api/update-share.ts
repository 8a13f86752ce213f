import type { UpdateShareInput } from '@floe/contracts'
import type { HttpClient } from './http-client.ts'

/** Throws `share_expiration_too_long`, `share_not_found`. */
export function updateShare(
  http: HttpClient,
  shareId: string,
  input: UpdateShareInput,
): Promise<void> {
  return http.request({
    method: 'PATCH',
    path: `/api/shares/${encodeURIComponent(shareId)}`,
    body: input,
  })
}
