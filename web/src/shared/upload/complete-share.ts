import { shareReceiptSchema, type ShareReceipt } from '@floe/contracts'
import type { HttpClient } from '../api/http-client.ts'

/** Makes a share with its files visible. Throws `share_without_files`, `share_already_completed`. */
export function completeShare(http: HttpClient, shareId: string): Promise<ShareReceipt> {
  return http.request({
    method: 'POST',
    path: `/api/shares/${encodeURIComponent(shareId)}/complete`,
    answer: shareReceiptSchema,
  })
}
