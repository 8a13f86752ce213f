import type { AdminPort, Language, Settings } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { type Mailer, type SmtpSettings, smtpSettings } from '@floe/mail'
import { confirmEmailMail, emailChangeNoticeMail, verifyEmailMail } from './account-mails.ts'
import type { Attempts } from './attempts.ts'
import { createOpaqueToken, hashOpaqueToken } from './opaque-token.ts'
import type { EmailChange, EmailChangeStore } from './ports.ts'
import type { SecurityLog } from './sessions.ts'
import type { SessionOrigin } from './user.ts'

/** Longer than the jobs try to send. */
const PURGE_ENDED_AFTER_MS = 24 * 60 * 60 * 1000

/** The result of a requested e-mail change. */
export interface EmailChanges {
  /** Tells the old address, also when the change is over by now. */
  sendNotice(changeId: string): Promise<void>
  /**
   * Sends the new address the link that makes the change, or that proves the one there is, unless it
   * is over by now.
   */
  sendLink(changeId: string): Promise<void>
  /** Makes the change. Fails with invalid_reset_token, email_taken, too_many_requests. */
  confirm(token: string, origin: SessionOrigin): Promise<void>
  purge(): Promise<void>
}

export interface EmailChangeDependencies {
  emailChanges: EmailChangeStore
  attempts: Attempts
  mailer: Mailer
  admin: AdminPort
  log: SecurityLog
  clock: () => Date
}

interface Delivery {
  change: EmailChange
  settings: Settings
  smtp: SmtpSettings
  language: Language | null
}

export function createEmailChanges(dependencies: EmailChangeDependencies): EmailChanges {
  const { emailChanges, attempts, mailer, clock } = dependencies
  return {
    async sendNotice(changeId) {
      const delivery = await findDelivery(dependencies, changeId)
      if (!delivery) return
      const { change, settings, smtp, language } = delivery
      const { id, oldEmail: to, newEmail } = change
      await mailer.send(smtp, emailChangeNoticeMail(settings, { id, to, language, newEmail }))
    },

    async sendLink(changeId) {
      const delivery = await findDelivery(dependencies, changeId)
      if (!delivery) return
      const { change, settings, smtp, language } = delivery
      const { id, oldEmail, newEmail: to } = change
      const { token, hash } = createOpaqueToken()
      if (!(await emailChanges.attachLink(id, { tokenHash: hash, now: clock() }))) return
      const makeMail = oldEmail === to ? verifyEmailMail : confirmEmailMail
      await mailer.send(smtp, makeMail(settings, { id, to, language, token }))
    },

    confirm: (token, origin) =>
      attempts.resetPassword(origin.address, async () => {
        const link = { tokenHash: hashOpaqueToken(token), now: clock(), origin }
        if (!(await emailChanges.confirm(link))) throw new AppError('invalid_reset_token')
      }),

    purge: () => emailChanges.purge(new Date(clock().getTime() - PURGE_ENDED_AFTER_MS)),
  }
}

async function findDelivery(
  { emailChanges, admin, log }: EmailChangeDependencies,
  changeId: string,
): Promise<Delivery | null> {
  const change = await emailChanges.find(changeId)
  if (!change) return null
  const settings = await admin.settings({})
  const smtp = smtpSettings(settings)
  if (!smtp) {
    log.warn({ changeId }, 'email is disabled; change of email address not announced')
    return null
  }
  return { change, settings, smtp, language: change.language }
}
