import { type AdminShare, adminShareSchema, type ShareListQuery } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient, ListPage } from '../../../shared/api/http-client.ts'
import { toSearch } from '../../../shared/list/list-query.ts'

export function fetchShares(
  http: HttpClient,
  query: ShareListQuery,
): Promise<ListPage<AdminShare>> {
  return http.requestPage({
    method: 'GET',
    path: `/api/shares/all?${toSearch(query)}`,
    response: z.array(adminShareSchema),
  })
}
