import type { SharePort } from '@floe/contracts'
import type { ObjectStore } from '@floe/storage'
import type { SegmentListing, SegmentRetirement } from './segment-ports.ts'

const BATCH = 500
/** How long a download of an edition at another level may still take. */
const KEPT_MS = 3_600_000

export interface SegmentCareDependencies {
  segments: SegmentRetirement & Pick<SegmentListing, 'shareUids' | 'readyKeys'>
  objects: Pick<ObjectStore, 'remove' | 'storedBytes'>
  share: Pick<SharePort, 'publishedEditions'>
  clock: () => Date
}

/**
 * Segments of a level that their share's archive no longer has go an hour after this first finds so.
 * Those whose objects were lost are forgotten: they can be made again. Tells how many of each.
 */
export async function removeUnusedSegments(
  dependencies: SegmentCareDependencies,
  signal: AbortSignal,
): Promise<{ retired: number; lost: number }> {
  await retireFormerLevels(dependencies, signal)
  const retired = await removeRetired(dependencies, signal)
  const lost = await forgetLost(dependencies, signal)
  return { retired, lost }
}

async function retireFormerLevels(
  { segments, share }: SegmentCareDependencies,
  signal: AbortSignal,
) {
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const shareUids: string[] = await segments.shareUids({ after, limit: BATCH })
    if (shareUids.length === 0) return
    const published = await share.publishedEditions({ shareUids })
    await segments.retire(
      published.flatMap(({ shareUid, archiveLevel: level }) =>
        level === null ? [] : { shareUid, level },
      ),
    )
    after = shareUids.at(-1) ?? null
  }
}

/** Rows first: an object without its row is an orphan, a row without its object a broken archive. */
async function removeRetired(
  { segments, objects, clock }: SegmentCareDependencies,
  signal: AbortSignal,
) {
  const before = new Date(clock().getTime() - KEPT_MS)
  let count = 0
  for (;;) {
    signal.throwIfAborted()
    const { removed, unusedKeys } = await segments.removeRetired({ before, limit: BATCH })
    await objects.remove(unusedKeys)
    count += removed
    if (removed < BATCH) return count
  }
}

async function forgetLost({ segments, objects }: SegmentCareDependencies, signal: AbortSignal) {
  let count = 0
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const keys: string[] = await segments.readyKeys({ after, limit: BATCH })
    if (keys.length === 0) return count
    const lost: string[] = []
    for (const key of keys) {
      if ((await objects.storedBytes(key)) === null) lost.push(key)
    }
    if (lost.length > 0) await segments.forget(lost)
    count += lost.length
    after = keys.at(-1) ?? null
  }
}
