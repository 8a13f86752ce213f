import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { DeviceCodes } from '../domain/device-codes.ts'
import type { EmailChanges } from '../domain/email-changes.ts'
import type { PasswordResets } from '../domain/password-resets.ts'
import type { Sessions } from '../domain/sessions.ts'

export function createPurgeTokensConsumer({
  sessions,
  passwordResets,
  emailChanges,
  deviceCodes,
}: {
  sessions: Sessions
  passwordResets: PasswordResets
  emailChanges: EmailChanges
  deviceCodes: DeviceCodes
}): JobConsumer {
  return consume(jobs.purgeTokens, async () => {
    await sessions.purge()
    await passwordResets.purge()
    await emailChanges.purge()
    await deviceCodes.purge()
  })
}
