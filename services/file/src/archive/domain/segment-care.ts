import type { FileServiceParts } from '../../parts.ts'

const BATCH = 500
/** How long a download of an edition at another level may still take. */
const KEPT_MS = 3_600_000

type Parts = Pick<FileServiceParts, 'segments' | 'objects' | 'ports' | 'clock'>

/**
 * Segments of a level that their share's archive no longer has go an hour after this first finds so.
 * Those whose objects were lost are forgotten: they can be made again. Tells how many of each.
 */
export async function removeUnusedSegments(
  parts: Parts,
  signal: AbortSignal,
): Promise<{ retired: number; lost: number }> {
  await retireFormerLevels(parts, signal)
  const retired = await removeRetired(parts, signal)
  const lost = await forgetLost(parts, signal)
  return { retired, lost }
}

async function retireFormerLevels({ segments, ports }: Parts, signal: AbortSignal) {
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const shareUids: string[] = await segments.shareUids({ after, limit: BATCH })
    if (shareUids.length === 0) return
    const published = await ports.share.publishedEditions({ shareUids })
    await segments.retire(
      published.flatMap(({ shareUid, archiveLevel: level }) =>
        level === null ? [] : { shareUid, level },
      ),
    )
    after = shareUids.at(-1) ?? null
  }
}

/** Rows first: an object without its row is an orphan, a row without its object a broken archive. */
async function removeRetired({ segments, objects, clock }: Parts, signal: AbortSignal) {
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

async function forgetLost({ segments, objects }: Parts, signal: AbortSignal) {
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
