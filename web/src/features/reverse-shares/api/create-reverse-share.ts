import { createdReverseShareSchema, type createReverseShareSchema } from '@floe/contracts'
import type { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export type NewReverseShare = z.input<typeof createReverseShareSchema>

/**
 * Makes a link to send files through and returns its token. Throws `reverse_share_token_taken`,
 * `reverse_share_too_big`, `share_expiration_too_long`.
 */
export async function createReverseShare(http: HttpClient, body: NewReverseShare): Promise<string> {
  const { token } = await http.request({
    method: 'POST',
    path: '/api/reverseShares',
    body,
    response: createdReverseShareSchema,
  })
  return token
}
