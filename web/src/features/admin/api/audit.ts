import { type AuditEntry, auditEntrySchema } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient, ListPage } from '../../../shared/api/http-client.ts'
import type { AuditSearch } from '../audit/audit-state.ts'
import { toSearch } from '../../../shared/list/list-query.ts'

export function fetchAudit(
  http: HttpClient,
  query: AuditSearch & { limit: number; offset: number },
): Promise<ListPage<AuditEntry>> {
  return http.requestPage({
    method: 'GET',
    path: `/api/admin/audit?${toSearch(query)}`,
    response: z.array(auditEntrySchema),
  })
}

/** Where the browser downloads what matches. */
export function auditExportPath(search: AuditSearch): string {
  return `/api/admin/audit/export?${toSearch(search)}`
}
