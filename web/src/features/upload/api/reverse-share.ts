import { type ReverseShareView, reverseShareViewSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** What people who send through a link must know. Throws `reverse_share_not_found`, `reverse_shares_disabled`. */
export function fetchReverseShare(http: HttpClient, token: string): Promise<ReverseShareView> {
  return http.request({
    method: 'GET',
    path: `/api/reverseShares/${encodeURIComponent(token)}`,
    response: reverseShareViewSchema,
  })
}
