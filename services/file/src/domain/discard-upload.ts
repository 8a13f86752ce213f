import { isAppError } from '@floe/errors'
import type { ObjectStore } from '@floe/storage'
import type { LeaseKeeper } from './lease-keeper.ts'
import type { UploadStore } from './ports.ts'

/**
 * Ends an upload for good: its writer is evicted, its object and then its row go (and with a
 * finished one its file). A crash in between leaves the row, so that it can be done again.
 * False if there was no such upload.
 */
export function createDiscard({
  store,
  leases,
  objects,
}: {
  store: UploadStore
  leases: LeaseKeeper
  objects: ObjectStore
}): (uploadId: string) => Promise<boolean> {
  return async (uploadId) => {
    const lease = await leases
      .acquire(uploadId, { discardsUnverified: true })
      .catch((error: unknown) => {
        if (isAppError(error, 'upload_not_found')) return null
        throw error
      })
    if (!lease) return false
    let removed = false
    try {
      await objects.remove([lease.upload.objectKey])
      removed = await store.remove(lease)
      return removed
    } finally {
      await lease.end({ rowReleased: removed })
    }
  }
}
