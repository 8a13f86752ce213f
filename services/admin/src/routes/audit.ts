import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { adminRoutes, type AuthPort, TOTAL_COUNT_HEADER } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import type { AuditLog } from '../domain/audit-log.ts'
import { requireAdmin } from './request.ts'

export function createAuditRoutes({
  audit,
  auth,
  clock,
}: {
  audit: AuditLog
  auth: AuthPort
  clock: () => Date
}): ImplementedRoute[] {
  const admin = requireAdmin(auth)
  return [
    implement(adminRoutes.listAudit, admin, async ({ res, query }) => {
      const { entries, total } = await audit.list(query)
      res.set(TOTAL_COUNT_HEADER, String(total))
      return entries
    }),

    implement(adminRoutes.exportAudit, admin, async ({ res, query }, actor) => {
      const csv = audit.exportCsv(query, actor)
      // A failure before the first byte still becomes an error response.
      const { value: head } = await csv.next()
      const day = clock().toISOString().slice(0, 10)
      res.set({
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="audit-${day}.csv"`,
      })
      res.write(head)
      await pipeline(Readable.from(csv), res).catch((error: unknown) => {
        // A client that left half-way does not want the rest.
        if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
      })
    }),
  ]
}
