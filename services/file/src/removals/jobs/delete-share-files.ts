import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { FileServiceParts } from '../../parts.ts'
import { removeShare } from '../domain/share-removals.ts'

export function deleteShareFiles(parts: FileServiceParts): JobConsumer {
  return consume(jobs.deleteShareFiles, async ({ shareUid }) => {
    if (await removeShare(parts, shareUid)) return
    parts.log.debug({ shareUid }, 'share removal waits for its last transfer')
  })
}
