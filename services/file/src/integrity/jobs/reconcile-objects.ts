import type { Log } from '@floe/log'
import type { ObjectStore } from '@floe/storage'
import type { ShareFiles } from '../../files/domain/file-ports.ts'
import type { StorageUsage } from '../../quotas/domain/quotas.ts'
import { jobs, type SharePort } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { ObjectRegister, RegisteredObject } from '../domain/object-register.ts'
import {
  removeUnusedSegments,
  type SegmentCareDependencies,
} from '../../archive/domain/segment-care.ts'
import {
  removeShare,
  type ShareRemovalDependencies,
  type ShareRemovalStore,
} from '../../removals/domain/share-removals.ts'
import {
  restoreThumbnails,
  type ThumbnailCareDependencies,
} from '../../thumbnails/domain/thumbnail-care.ts'

const BATCH = 500

export interface ReconcileDependencies
  extends ShareRemovalDependencies, SegmentCareDependencies, ThumbnailCareDependencies {
  files: Pick<ShareFiles, 'objectKeysOf' | 'removeShare' | 'shareUids'>
  segments: ShareRemovalDependencies['segments'] & SegmentCareDependencies['segments']
  thumbnails: ShareRemovalDependencies['thumbnails'] & ThumbnailCareDependencies['thumbnails']
  objects: Pick<ObjectStore, 'remove' | 'list' | 'storedBytes'>
  register: ObjectRegister
  removals: Pick<ShareRemovalStore, 'request' | 'isHeld' | 'forgetDead'>
  share: Pick<SharePort, 'existing' | 'publishedEditions'>
  usage: Pick<StorageUsage, 'repair'>
  log: Pick<Log, 'warn' | 'error' | 'debug'>
}

/**
 * Makes objects and rows agree after whatever happened. Every row is committed before its object
 * is begun, so an object without a row is an orphan at any age. A file without its object cannot
 * be brought back: it is reported; a segment or a thumbnail without its object is made again.
 */
export function reconcileObjects(dependencies: ReconcileDependencies): JobConsumer {
  return consume(jobs.reconcileObjects, async (_payload, { signal }) => {
    await dependencies.removals.forgetDead()
    const abandoned = await removeAbandonedShares(dependencies, signal)
    const segments = await removeUnusedSegments(dependencies, signal)
    const thumbnails = await restoreThumbnails(dependencies, signal)
    const orphans = await removeOrphans(dependencies, signal)
    const missing = await findMissing(dependencies, signal)
    const miscounts = await dependencies.usage.repair()
    if (miscounts > 0) dependencies.log.warn({ miscounts }, 'storage counters were corrected')
    const level = missing.length > 0 ? 'error' : 'debug'
    dependencies.log[level](
      { abandoned, segments, thumbnails, orphans, missing: missing.slice(0, 20) },
      'objects reconciled with the database',
    )
  })
}

async function removeAbandonedShares(dependencies: ReconcileDependencies, signal: AbortSignal) {
  let removed = 0
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const shareUids: string[] = await dependencies.files.shareUids({ after, limit: BATCH })
    if (shareUids.length === 0) return removed
    const existing = new Set(await dependencies.share.existing({ shareUids }))
    for (const shareUid of shareUids.filter((uid) => !existing.has(uid))) {
      if (await removeShare(dependencies, shareUid)) removed += 1
    }
    after = shareUids.at(-1) ?? null
  }
}

async function removeOrphans({ objects, register }: ReconcileDependencies, signal: AbortSignal) {
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

async function findMissing({ objects, register }: ReconcileDependencies, signal: AbortSignal) {
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
