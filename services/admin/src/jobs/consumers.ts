import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { AuditLog } from '../domain/audit-log.ts'
import type { Notices } from '../domain/notices.ts'
import type { Overviews } from '../domain/overviews.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import type { WebhookMails } from '../webhooks/webhook-mails.ts'

export function createConsumers({
  audit,
  notices,
  overviews,
  deliveries,
  webhookMails,
}: {
  audit: AuditLog
  notices: Notices
  overviews: Overviews
  deliveries: Deliveries
  webhookMails: WebhookMails
}): JobConsumer[] {
  return [
    consume(jobs.recordAuditEvent, async (auditEvent) => {
      await audit.add(auditEvent)
      await deliveries.oweForAudit(auditEvent)
    }),
    consume(jobs.recordHappening, (happening) => deliveries.owe(happening)),
    consume(jobs.sendWebhooks, (_payload, { signal }) => deliveries.sendDue(signal)),
    consume(jobs.sendWebhookMail, ({ webhookId }) => webhookMails.send(webhookId)),
    consume(jobs.purgeAudit, async (_payload, { signal }) => {
      await audit.purge(signal)
      await deliveries.prune()
    }),
    consume(jobs.recordMetrics, () => overviews.recordMetrics()),
    consume(jobs.findNotices, () => notices.owe()),
    consume(jobs.sendNotice, (mail) => notices.send(mail)),
  ]
}
