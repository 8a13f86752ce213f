import type { updateReverseShareSchema } from '@floe/contracts'
import type { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export type ReverseShareUpdate = z.input<typeof updateReverseShareSchema>

/** Throws `reverse_share_not_found`, `reverse_share_too_big`, `share_expiration_too_long`. */
export function updateReverseShare(
  http: HttpClient,
  id: string,
  body: ReverseShareUpdate,
): Promise<void> {
  return http.request({
    method: 'PATCH',
    path: `/api/reverseShares/${encodeURIComponent(id)}`,
    body,
  })
}
