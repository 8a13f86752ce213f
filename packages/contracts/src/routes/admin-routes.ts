import { z } from 'zod'
import { auditEntrySchema, auditFilterSchema, auditQuerySchema } from '../audit.ts'
import { defineRoute } from './route.ts'

export const adminRoutes = {
  listAudit: defineRoute({
    method: 'get',
    path: '/api/admin/audit',
    tag: 'Administration',
    summary: 'The audit log, the latest first; X-Total-Count tells how many entries match',
    access: 'admin',
    query: auditQuerySchema,
    status: 200,
    answer: z.array(auditEntrySchema),
    errors: ['validation_failed', 'forbidden'],
  }),
  exportAudit: defineRoute({
    method: 'get',
    path: '/api/admin/audit/export',
    tag: 'Administration',
    summary: 'The audit log as CSV, the latest first; no cell is taken for a formula',
    access: 'admin',
    query: auditFilterSchema,
    status: 200,
    answer: 'bytes',
    errors: ['validation_failed', 'forbidden'],
  }),
}
