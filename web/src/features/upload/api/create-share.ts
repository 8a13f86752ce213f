import { type CreateShareInput, shareReceiptSchema, type ShareReceipt } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

/** Opens a share that takes files. Throws `share_id_taken`, `share_expiration_too_long`. */
export function createShare(http: HttpClient, input: CreateShareInput): Promise<ShareReceipt> {
  return http.request({
    method: 'POST',
    path: '/api/shares',
    body: input,
    response: shareReceiptSchema,
  })
}
