import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { Invites } from '../domain/invites.ts'
import type { PasswordResets } from '../domain/password-resets.ts'

export function createMailConsumers({
  passwordResets,
  invites,
}: {
  passwordResets: PasswordResets
  invites: Invites
}): JobConsumer[] {
  return [
    consume(jobs.sendPasswordReset, ({ requestId }) => passwordResets.sendLink(requestId)),
    consume(jobs.sendInvite, ({ userId, language = null }) => invites.send(userId, language)),
  ]
}
