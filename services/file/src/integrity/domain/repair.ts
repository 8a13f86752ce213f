import type { ObjectStore } from '@floe/storage'
import type { ObjectOwner, RegisteredObject } from './object-register.ts'
import type { UploadStore } from '../../uploads/domain/upload-ports.ts'
import type { FileStore } from '../../files/domain/file-ports.ts'
import type { StorageUsage } from '../../quotas/domain/quotas.ts'
import type { SegmentStore } from '../../archive/domain/segment-ports.ts'
import type { ThumbnailStore } from '../../thumbnails/domain/thumbnail-ports.ts'
import type { Difference } from './differences.ts'

/** What the share service does for a share whose files are lost. */
export interface RepairableShares {
  /** Visitors and owner are told why there is nothing. */
  markLost(shareUid: string): Promise<void>
}

export interface IntegrityRepair {
  /**
   * Puts one difference right; false where nobody can tell what is right: bytes that are there, but
   * not as they came in, are left to their owner.
   */
  repair(difference: Difference): Promise<boolean>
  /** What is not at rest any more and was no finished file. */
  forget(object: Pick<RegisteredObject, 'key' | 'owner'>): Promise<void>
}

export interface IntegrityRepairOptions {
  objects: Pick<ObjectStore, 'remove'>
  shares: RepairableShares
  usage: Pick<StorageUsage, 'repair'>
  files: Pick<FileStore, 'removeLost' | 'objectKeysOf' | 'removeShare'>
  uploads: Pick<UploadStore, 'removeLost'>
  segments: Pick<SegmentStore, 'forget'>
  thumbnails: Pick<ThumbnailStore, 'forget'>
}

export function createIntegrityRepair(options: IntegrityRepairOptions): IntegrityRepair {
  const { objects, shares, usage, files, uploads, segments, thumbnails } = options

  /** What can be made again is, once its row says that it is missing. */
  const forgetting: Record<Exclude<ObjectOwner, 'file'>, (key: string) => Promise<void>> = {
    upload: (key) => uploads.removeLost(key),
    segment: (key) => segments.forget([key]),
    thumbnail: (key) => thumbnails.forget([key]),
  }

  async function forgetObject({ key, owner, shareUid, fileId }: RegisteredObject): Promise<void> {
    if (owner !== 'file') return forgetting[owner](key)
    if (shareUid !== null) await files.removeLost(shareUid, fileId)
  }

  async function removeRest(shareUid: string): Promise<void> {
    await objects.remove(await files.objectKeysOf(shareUid))
    await files.removeShare(shareUid)
  }

  return {
    forget: async ({ key, owner }) => {
      if (owner !== 'file') await forgetting[owner](key)
    },

    repair: async (difference) => {
      switch (difference.kind) {
        case 'object_missing':
          await forgetObject(difference.object)
          return true
        case 'object_size':
        case 'object_altered': {
          const { object } = difference
          if (object.owner === 'file' || object.owner === 'upload') return false
          await forgetObject(object)
          await objects.remove([object.key])
          return true
        }
        case 'object_unknown':
          await objects.remove([difference.key])
          return true
        case 'share_gone':
          await removeRest(difference.shareUid)
          return true
        case 'files_gone':
          await shares.markLost(difference.shareUid)
          return true
        case 'miscounted':
          await usage.repair()
          return true
      }
    },
  }
}
