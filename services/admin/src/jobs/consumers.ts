import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { AuditLog } from '../domain/audit-log.ts'
import type { Notices } from '../domain/notices.ts'
import type { Overviews } from '../domain/overviews.ts'

export function createConsumers({
  audit,
  notices,
  overviews,
}: {
  audit: AuditLog
  notices: Notices
  overviews: Overviews
}): JobConsumer[] {
  return [
    consume(jobs.recordAuditEvent, (auditEvent) => audit.add(auditEvent)),
    consume(jobs.purgeAudit, (_payload, { signal }) => audit.purge(signal)),
    consume(jobs.recordMetrics, () => overviews.recordMetrics()),
    consume(jobs.findNotices, () => notices.owe()),
    consume(jobs.sendNotice, (mail) => notices.send(mail)),
  ]
}
