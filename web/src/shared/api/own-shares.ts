import { type OwnShare, ownShareSchema } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from './http-client.ts'

/** Completed, unexpired shares of the signed-in user. */
export function fetchOwnShares(http: HttpClient): Promise<OwnShare[]> {
  return http.request({ method: 'GET', path: '/api/shares', response: z.array(ownShareSchema) })
}

/** Any share that this browser may change, with the files of its edit. Throws `share_not_found`. */
export function fetchOwnShare(http: HttpClient, shareId: string): Promise<OwnShare> {
  return http.request({
    method: 'GET',
    path: `/api/shares/${encodeURIComponent(shareId)}/from-owner`,
    response: ownShareSchema,
  })
}
