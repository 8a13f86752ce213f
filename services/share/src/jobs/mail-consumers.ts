import { type AdminPort, jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { MailDelivery } from '../domain/mail-delivery.ts'
import type { ShareMailStore } from '../domain/ports.ts'
import type { RecipientCodes } from '../domain/recipient-codes.ts'
import { BATCH_SIZE, repeatWhileFull } from './repeat-while-full.ts'

const hourMs = 3_600_000
/** A share that is downloaded all day long tells its owner once in this time. */
const quietMs = hourMs
/** Reminders come this long before the end. */
const reminderLeadMs = 24 * hourMs

export interface MailConsumersDeps {
  mails: ShareMailStore
  delivery: MailDelivery
  codes: RecipientCodes
  admin: AdminPort
  clock: () => Date
}

export function createMailConsumers(deps: MailConsumersDeps): JobConsumer[] {
  const { mails, delivery, codes, admin, clock } = deps
  return [
    consume(jobs.sendShareMail, ({ mailId }) => delivery.send(mailId)),

    consume(jobs.sendShareCode, ({ requestId }) => codes.send(requestId)),

    consume(jobs.noteShareDownload, async ({ shareUid }) => {
      const now = clock()
      await mails.recordDownload(shareUid, { now, quietSince: new Date(now.getTime() - quietMs) })
    }),

    consume(jobs.remindShareOwners, async (_payload, run) => {
      const settings = await admin.settings({})
      const hasRecipients = settings['email.enableShareEmailRecipients']
      if (!settings['smtp.enabled'] || !hasRecipients) return
      const now = clock()
      const before = new Date(now.getTime() + reminderLeadMs)
      await repeatWhileFull(run, () => mails.oweReminders({ now, before, limit: BATCH_SIZE }))
    }),
  ]
}
