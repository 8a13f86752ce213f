import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { PasswordResets } from '../domain/password-resets.ts'
import type { Sessions } from '../domain/sessions.ts'

export function createPurgeTokensConsumer({
  sessions,
  passwordResets,
}: {
  sessions: Sessions
  passwordResets: PasswordResets
}): JobConsumer {
  return consume(jobs.purgeTokens, async () => {
    await sessions.purge()
    await passwordResets.purge()
  })
}
