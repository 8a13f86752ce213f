import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { Sessions } from '../domain/sessions.ts'

export function createPurgeTokensConsumer({ sessions }: { sessions: Sessions }): JobConsumer {
  return consume(jobs.purgeTokens, () => sessions.purge())
}
