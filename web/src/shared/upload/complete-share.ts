import { completedShareSchema } from '@floe/contracts'
import type { z } from 'zod'
import type { HttpClient } from '../api/http-client.ts'

export type CompletedShare = z.infer<typeof completedShareSchema>

/**
 * Makes a share with its files visible. Throws `share_without_files`, `share_already_completed`,
 * `reverse_share_used_up`.
 */
export function completeShare(http: HttpClient, shareId: string): Promise<CompletedShare> {
  return http.request({
    method: 'POST',
    path: `/api/shares/${encodeURIComponent(shareId)}/complete`,
    response: completedShareSchema,
  })
}
