import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { FileServiceParts } from '../../parts.ts'

const BATCH = 500
/** How long a download of the edition before may still take. */
const KEPT_MS = 3_600_000

/**
 * What a published edition removed goes an hour later. The hour begins when this job learns of the
 * publication, so it may be longer and is never shorter.
 */
export function purgeRemovedFiles(parts: FileServiceParts): JobConsumer {
  return consume(jobs.purgeRemovedFiles, async (_payload, { signal }) => {
    await schedulePublished(parts, signal)
    await purgeDue(parts, signal)
  })
}

async function schedulePublished(
  { files, ports, clock }: FileServiceParts,
  signal: AbortSignal,
): Promise<void> {
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const shareUids: string[] = await files.sharesWithRemovedFiles({ after, limit: BATCH })
    if (shareUids.length === 0) return
    const published = await ports.share.publishedEditions({ shareUids })
    await files.schedulePurge(published, new Date(clock().getTime() + KEPT_MS))
    after = shareUids.at(-1) ?? null
  }
}

/** Objects first: should the process die in between, the rows still say what is left to do. */
async function purgeDue(
  { files, segments, thumbnails, objects, clock }: FileServiceParts,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const due = await files.listPurgeable({ now: clock(), limit: BATCH })
    if (due.length === 0) return
    const segmentKeys = await segments.objectKeysOfFiles(due)
    const thumbnailKeys = await thumbnails.objectKeysOfFiles(due)
    const fileKeys = due.map(({ objectKey }) => objectKey)
    await objects.remove([...fileKeys, ...segmentKeys, ...thumbnailKeys])
    await files.purge(due)
  }
}
