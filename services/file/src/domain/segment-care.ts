import type { FileServiceParts } from './parts.ts'

const BATCH = 500
/** How long a download of an archive at the former level may still take. */
const KEPT_MS = 3_600_000

type Parts = Pick<FileServiceParts, 'segments' | 'objects' | 'archiveLevel' | 'clock'>

/**
 * Segments of a level that archives no longer have go an hour after this first finds so. Those
 * whose objects were lost are forgotten: they can be made again. Tells how many of each.
 */
export async function removeUnusedSegments(
  parts: Parts,
  signal: AbortSignal,
): Promise<{ retired: number; lost: number }> {
  await parts.segments.retire(await parts.archiveLevel())
  const retired = await removeRetired(parts, signal)
  const lost = await forgetLost(parts, signal)
  return { retired, lost }
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
