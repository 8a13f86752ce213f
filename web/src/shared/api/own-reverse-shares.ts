import { type OwnReverseShare, ownReverseShareSchema } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from './http-client.ts'

/** Unexpired reverse shares of the signed-in user, with what was sent through each. */
export function fetchOwnReverseShares(http: HttpClient): Promise<OwnReverseShare[]> {
  return http.request({
    method: 'GET',
    path: '/api/reverseShares',
    response: z.array(ownReverseShareSchema),
  })
}
