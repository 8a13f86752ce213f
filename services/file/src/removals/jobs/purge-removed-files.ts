import type { ObjectStore } from '@floe/storage'
import type { SegmentListing } from '../../archive/domain/segment-ports.ts'
import type { FilePurges } from '../../files/domain/file-ports.ts'
import type { ThumbnailListing } from '../../thumbnails/domain/thumbnail-ports.ts'
import { jobs, type SharePort } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'

const BATCH = 500
/** How long a download of the edition before may still take. */
const KEPT_MS = 3_600_000

export interface PurgeDependencies {
  files: FilePurges
  segments: Pick<SegmentListing, 'objectKeysOfFiles'>
  thumbnails: Pick<ThumbnailListing, 'objectKeysOfFiles'>
  objects: Pick<ObjectStore, 'remove'>
  share: Pick<SharePort, 'publishedEditions'>
  clock: () => Date
}

/**
 * What a published edition removed goes an hour later. The hour begins when this job learns of the
 * publication, so it may be longer and is never shorter.
 */
export function purgeRemovedFiles(dependencies: PurgeDependencies): JobConsumer {
  return consume(jobs.purgeRemovedFiles, async (_payload, { signal }) => {
    await schedulePublished(dependencies, signal)
    await purgeDue(dependencies, signal)
  })
}

async function schedulePublished(
  { files, share, clock }: PurgeDependencies,
  signal: AbortSignal,
): Promise<void> {
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const shareUids: string[] = await files.sharesWithRemovedFiles({ after, limit: BATCH })
    if (shareUids.length === 0) return
    const published = await share.publishedEditions({ shareUids })
    await files.schedulePurge(published, new Date(clock().getTime() + KEPT_MS))
    after = shareUids.at(-1) ?? null
  }
}

/** Objects first: should the process die in between, the rows still say what is left to do. */
async function purgeDue(
  { files, segments, thumbnails, objects, clock }: PurgeDependencies,
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
