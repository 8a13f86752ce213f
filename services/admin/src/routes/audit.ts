import { adminRoutes, type AuthPort, TOTAL_COUNT_HEADER } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import type { AuditLog } from '../domain/audit-log.ts'
import { requireAdmin } from './request.ts'
import { sendPieces } from './send-pieces.ts'

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
      const day = clock().toISOString().slice(0, 10)
      await sendPieces(res, {
        pieces: audit.exportCsv(query, actor),
        name: `audit-${day}.csv`,
        type: 'text/csv; charset=utf-8',
      })
    }),
  ]
}
