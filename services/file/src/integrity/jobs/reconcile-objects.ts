import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { RegisteredObject } from '../domain/object-register.ts'
import type { FileServiceParts } from '../../parts.ts'
import { removeUnusedSegments } from '../../archive/domain/segment-care.ts'
import { removeShare } from '../../removals/domain/share-removals.ts'
import { restoreThumbnails } from '../../thumbnails/domain/thumbnail-care.ts'

const BATCH = 500

/**
 * Makes objects and rows agree after whatever happened. Every row is committed before its object
 * is begun, so an object without a row is an orphan at any age. A file without its object cannot
 * be brought back: it is reported; a segment or a thumbnail without its object is made again.
 */
export function reconcileObjects(parts: FileServiceParts): JobConsumer {
  return consume(jobs.reconcileObjects, async (_payload, { signal }) => {
    await parts.removals.forgetDead()
    const abandoned = await removeAbandonedShares(parts, signal)
    const segments = await removeUnusedSegments(parts, signal)
    const thumbnails = await restoreThumbnails(parts, signal)
    const orphans = await removeOrphans(parts, signal)
    const missing = await findMissing(parts, signal)
    const miscounts = await parts.usage.repair()
    if (miscounts > 0) parts.log.warn({ miscounts }, 'storage counters were corrected')
    const level = missing.length > 0 ? 'error' : 'debug'
    parts.log[level](
      { abandoned, segments, thumbnails, orphans, missing: missing.slice(0, 20) },
      'objects reconciled with the database',
    )
  })
}

async function removeAbandonedShares(parts: FileServiceParts, signal: AbortSignal) {
  let removed = 0
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const shareUids: string[] = await parts.files.shareUids({ after, limit: BATCH })
    if (shareUids.length === 0) return removed
    const existing = new Set(await parts.ports.share.existing({ shareUids }))
    for (const shareUid of shareUids.filter((uid) => !existing.has(uid))) {
      if (await removeShare(parts, shareUid)) removed += 1
    }
    after = shareUids.at(-1) ?? null
  }
}

async function removeOrphans({ objects, register }: FileServiceParts, signal: AbortSignal) {
  let removed = 0
  let batch: string[] = []
  const flush = async () => {
    signal.throwIfAborted()
    const registered = new Set((await register.find(batch)).map(({ key }) => key))
    const orphans = batch.filter((key) => !registered.has(key))
    await objects.remove(orphans)
    removed += orphans.length
    batch = []
  }
  for await (const { key } of objects.list()) {
    batch.push(key)
    if (batch.length >= BATCH) await flush()
  }
  if (batch.length > 0) await flush()
  return removed
}

async function findMissing({ objects, register }: FileServiceParts, signal: AbortSignal) {
  const missing: string[] = []
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const page: RegisteredObject[] = await register.page('file', { after, limit: BATCH })
    if (page.length === 0) return missing
    for (const { key, mayBeMissing } of page) {
      if (!mayBeMissing && (await objects.storedBytes(key)) === null) missing.push(key)
    }
    after = page.at(-1)?.key ?? null
  }
}
