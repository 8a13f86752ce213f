import { type CreatedToken, createdTokenSchema, type createTokenSchema } from '@floe/contracts'
import type { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export type NewToken = z.input<typeof createTokenSchema>

/** The only time that its text is told. Throws `too_many_tokens`, `forbidden`. */
export function createToken(http: HttpClient, token: NewToken): Promise<CreatedToken> {
  return http.request({
    method: 'POST',
    path: '/api/tokens',
    body: token,
    response: createdTokenSchema,
  })
}
