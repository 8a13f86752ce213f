import type { AdminPort } from '@floe/contracts'
import { type Mailer, smtpSettings } from '@floe/mail'
import { approvalMail } from './account-mails.ts'
import type { UserStore } from './ports.ts'

export interface Approvals {
  /** Tells somebody that the account waits no longer, where messages are sent at all. */
  send(userId: string): Promise<void>
}

export interface ApprovalDependencies {
  users: UserStore
  mailer: Mailer
  admin: AdminPort
}

export function createApprovals({ users, mailer, admin }: ApprovalDependencies): Approvals {
  return {
    async send(userId) {
      const [user] = await users.findUsers([userId])
      const settings = await admin.settings({})
      const smtp = smtpSettings(settings)
      if (!user || !smtp) return
      const receiver = { id: userId, to: user.email, language: null }
      await mailer.send(smtp, approvalMail(settings, receiver))
    },
  }
}
