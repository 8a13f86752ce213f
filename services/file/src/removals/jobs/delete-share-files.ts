import type { Log } from '@floe/log'
import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import { removeShare, type ShareRemovalDependencies } from '../domain/share-removals.ts'

export function deleteShareFiles(
  dependencies: ShareRemovalDependencies & { log: Pick<Log, 'debug'> },
): JobConsumer {
  return consume(jobs.deleteShareFiles, async ({ shareUid }) => {
    if (await removeShare(dependencies, shareUid)) return
    dependencies.log.debug({ shareUid }, 'share removal waits for its last transfer')
  })
}
