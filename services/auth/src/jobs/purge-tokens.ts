import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { EmailChanges } from '../domain/email-changes.ts'
import type { PasswordResets } from '../domain/password-resets.ts'
import type { Sessions } from '../domain/sessions.ts'

export function createPurgeTokensConsumer({
  sessions,
  passwordResets,
  emailChanges,
}: {
  sessions: Sessions
  passwordResets: PasswordResets
  emailChanges: EmailChanges
}): JobConsumer {
  return consume(jobs.purgeTokens, async () => {
    await sessions.purge()
    await passwordResets.purge()
    await emailChanges.purge()
  })
}
