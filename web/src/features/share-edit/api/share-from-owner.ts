import { type ShareView, shareViewSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export function fetchShareFromOwner(http: HttpClient, shareId: string): Promise<ShareView> {
  return http.request({
    method: 'GET',
    path: `/api/shares/${encodeURIComponent(shareId)}/from-owner`,
    answer: shareViewSchema,
  })
}
