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
    summary: 'Storage, shares and users over time, jobs by name, failed jobs, latest audit entries',
    access: 'admin',
    status: 200,
    answer: overviewSchema,
    errors: ['forbidden'],
  }),
  retryJob: defineRoute({
    method: 'post',
    path: '/api/admin/jobs/:jobId/retry',
    tag: 'Administration',
    summary: 'Run a failed job again, with all its attempts',
    access: 'admin',
    params: z.object({ jobId: jobIdSchema }),
    status: 204,
    answer: null,
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
      'The latest release, asked for every few hours; null while it is unknown or switched off',
    access: 'admin',
    status: 200,
    answer: z.object({ latest: releaseSchema.nullable() }),
    errors: ['forbidden'],
  }),
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
