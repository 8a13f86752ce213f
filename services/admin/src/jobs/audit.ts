import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { AuditLog } from '../domain/audit-log.ts'

export function createAuditConsumers({ audit }: { audit: AuditLog }): JobConsumer[] {
  return [
    consume(jobs.recordAct, (act) => audit.add(act)),
    consume(jobs.purgeAudit, (_payload, { signal }) => audit.purge(signal)),
  ]
}
