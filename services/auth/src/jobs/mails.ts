import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { Approvals } from '../domain/approvals.ts'
import type { EmailChanges } from '../domain/email-changes.ts'
import type { Invites } from '../domain/invites.ts'
import type { PasswordResets } from '../domain/password-resets.ts'

export function createMailConsumers({
  passwordResets,
  invites,
  approvals,
  emailChanges,
}: {
  passwordResets: PasswordResets
  invites: Invites
  approvals: Approvals
  emailChanges: EmailChanges
}): JobConsumer[] {
  return [
    consume(jobs.sendPasswordReset, ({ requestId }) => passwordResets.sendLink(requestId)),
    consume(jobs.sendInvite, ({ userId, language = null }) => invites.send(userId, language)),
    consume(jobs.sendApproval, ({ userId }) => approvals.send(userId)),
    consume(jobs.sendEmailChangeNotice, ({ changeId }) => emailChanges.sendNotice(changeId)),
    consume(jobs.sendEmailChangeLink, ({ changeId }) => emailChanges.sendLink(changeId)),
  ]
}
