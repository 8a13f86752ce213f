import { type AdminPort, type FilePort, jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { MailDelivery } from '../domain/mail-delivery.ts'
import type { ShareMailStore, ShareStore } from '../domain/ports.ts'
import { grantWorkingRead } from '../domain/read-grant.ts'
import type { RecipientCodes } from '../domain/recipient-codes.ts'
import { BATCH_SIZE, repeatWhileFull } from './repeat-while-full.ts'

const hourMs = 3_600_000
/** A share that is downloaded all day long tells its owner once in this time. */
const quietMs = hourMs
/** Reminders come this long before the end. */
const reminderLeadMs = 24 * hourMs

export interface MailConsumersDeps {
  shares: Pick<ShareStore, 'findByUid'>
  files: Pick<FilePort, 'listFiles'>
  mails: ShareMailStore
  delivery: MailDelivery
  codes: RecipientCodes
  admin: AdminPort
  clock: () => Date
}

export function createMailConsumers(deps: MailConsumersDeps): JobConsumer[] {
  const { shares, files, mails, delivery, codes, admin, clock } = deps
  return [
    consume(jobs.sendShareMail, ({ mailId }) => delivery.send(mailId)),

    consume(jobs.sendShareCode, ({ requestId }) => codes.send(requestId)),

    consume(jobs.noteShareDownload, async ({ shareUid }) => {
      const now = clock()
      await mails.recordDownload(shareUid, { now, quietSince: new Date(now.getTime() - quietMs) })
    }),

    consume(jobs.tellInfected, async ({ shareUid, fileId }) => {
      const share = await shares.findByUid(shareUid)
      if (share === null) return
      const listed = await files.listFiles({ grant: grantWorkingRead(share) })
      const file = listed.find(({ id }) => id === fileId)
      if (file?.scan?.state !== 'infected') return
      const threat = file.scan.threat ?? ''
      await mails.recordInfected(share, { id: fileId, name: file.name, threat }, clock())
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
