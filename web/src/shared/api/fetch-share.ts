import { type ShareView, shareViewSchema } from '@floe/contracts'
import type { HttpClient } from './http-client.ts'

/** A share and its files, for a visitor who was let in. Throws `share_token_required` and the limits. */
export function fetchShare(http: HttpClient, shareId: string): Promise<ShareView> {
  return http.request({
    method: 'GET',
    path: `/api/shares/${encodeURIComponent(shareId)}`,
    response: shareViewSchema,
  })
}
