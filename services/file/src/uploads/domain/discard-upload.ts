import { isAppError } from '@floe/errors'
import type { ObjectKey, ObjectStore } from '@floe/storage'
import type { LeaseKeeper } from './lease-keeper.ts'
import type { UploadRecords } from './upload-ports.ts'
import { isComplete } from './upload.ts'

/** Ends an upload for good: writer, row and object. False if it was not there. */
export type DiscardUpload = (
  uploadId: string,
  options?: { unfinishedOnly?: boolean; isGivenUp?: boolean },
) => Promise<boolean>

export interface DiscardDependencies {
  store: Pick<UploadRecords, 'remove'>
  leases: Pick<LeaseKeeper, 'acquire'>
  objects: Pick<ObjectStore, 'remove'>
}

/**
 * Ends an upload for good: its writer is evicted, its row goes, and with a finished one its file,
 * then the object. A crash in between leaves an object without a row, which the next
 * reconciliation takes; the other order could leave a file without its bytes.
 * False if there was no such upload, or it was finished and `unfinishedOnly` protects it.
 */
export function createDiscard({ store, leases, objects }: DiscardDependencies): DiscardUpload {
  return async (uploadId, { unfinishedOnly = false, isGivenUp = false } = {}) => {
    const lease = await leases.acquire(uploadId, 'end').catch((error: unknown) => {
      if (isAppError(error, 'upload_not_found')) return null
      throw error
    })
    if (!lease) return false
    let removed = false
    try {
      if (unfinishedOnly && isComplete(lease.upload)) return false
      removed = await store.remove(lease, { isGivenUp })
      if (removed) await objects.remove([lease.upload.objectKey])
      return removed
    } finally {
      await lease.end({ rowReleased: removed })
    }
  }
}

/**
 * Ends an upload that cannot be made a file. One whose row went meanwhile, as with its share, may
 * have got its object after the rest of it was removed.
 */
export async function discardStaged(
  { discard, objects }: { discard: DiscardUpload; objects: Pick<ObjectStore, 'remove'> },
  { id, objectKey }: { id: string; objectKey: ObjectKey },
): Promise<void> {
  if (!(await discard(id))) await objects.remove([objectKey])
}
