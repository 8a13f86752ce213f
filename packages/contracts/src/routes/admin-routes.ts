import { z } from 'zod'
import { auditEntrySchema, auditFilterSchema, auditQuerySchema } from '../audit.ts'
import { jobIdSchema, overviewSchema } from '../overview.ts'
import { releaseSchema } from '../release.ts'
import { defineRoute } from './route.ts'

export const adminRoutes = {
  getOverview: defineRoute({
    method: 'get',
    path: '/api/admin/overview',
    tag: 'Administration',
    summary:
      'Get storage, shares and users over time, jobs by name, failed jobs and the latest audit events',
    access: 'admin',
    scope: 'admin:read',
    status: 200,
    response: overviewSchema,
    errors: ['forbidden'],
  }),
  retryJob: defineRoute({
    method: 'post',
    path: '/api/admin/jobs/:jobId/retry',
    tag: 'Administration',
    summary: 'Retry a failed job; it gets all its attempts again',
    access: 'admin',
    scope: 'admin:settings',
    params: z.object({ jobId: jobIdSchema }),
    status: 204,
    response: null,
    errors: [
      'validation_failed',
      'forbidden',
      'job_not_found',
      'job_not_failed',
      'upstream_unavailable',
    ],
  }),
  getLatestRelease: defineRoute({
    method: 'get',
    path: '/api/admin/release',
    tag: 'Administration',
    summary:
      'Get the latest release, checked every few hours; null while it is unknown or the check is off',
    access: 'admin',
    scope: 'admin:read',
    status: 200,
    response: z.object({ latest: releaseSchema.nullable() }),
    errors: ['forbidden'],
  }),
  listAudit: defineRoute({
    method: 'get',
    path: '/api/admin/audit',
    tag: 'Administration',
    summary: 'List audit events, newest first; X-Total-Count is the number of matches',
    access: 'admin',
    scope: 'admin:read',
    query: auditQuerySchema,
    status: 200,
    response: z.array(auditEntrySchema),
    errors: ['validation_failed', 'forbidden'],
  }),
  exportAudit: defineRoute({
    method: 'get',
    path: '/api/admin/audit/export',
    tag: 'Administration',
    summary: 'Export audit events as CSV, newest first; cells are escaped against formulas',
    access: 'admin',
    scope: 'admin:read',
    query: auditFilterSchema,
    status: 200,
    response: 'bytes',
    mediaType: 'text/csv',
    errors: ['validation_failed', 'forbidden'],
  }),
}
