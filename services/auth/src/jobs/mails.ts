import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { Approvals } from '../domain/approvals.ts'
import type { EmailChanges } from '../domain/email-changes.ts'
import type { Farewells } from '../domain/farewells.ts'
import type { Invites } from '../domain/invites.ts'
import type { PasswordResets } from '../domain/password-resets.ts'

export function createMailConsumers({
  passwordResets,
  invites,
  approvals,
  farewells,
  emailChanges,
}: {
  passwordResets: PasswordResets
  invites: Invites
  approvals: Approvals
  farewells: Farewells
  emailChanges: EmailChanges
}): JobConsumer[] {
  return [
    consume(jobs.sendPasswordReset, ({ requestId }) => passwordResets.sendLink(requestId)),
    consume(jobs.sendInvite, ({ userId, language = null }) => invites.send(userId, language)),
    consume(jobs.sendFarewell, (farewell) => farewells.send(farewell)),
    consume(jobs.sendApproval, ({ userId }) => approvals.send(userId)),
    consume(jobs.sendEmailChangeNotice, ({ changeId }) => emailChanges.sendNotice(changeId)),
    consume(jobs.sendEmailChangeLink, ({ changeId }) => emailChanges.sendLink(changeId)),
  ]
}
