import type { ScanStore } from '../antivirus/domain/scan-ports.ts'
import { createScanStore } from '../antivirus/stores/scan-rows.ts'
import type { DownloadCountStore } from '../downloads/domain/download-ports.ts'
import type { FileStore } from '../files/domain/file-ports.ts'
import { createDownloadCountStore } from '../downloads/stores/download-count-store.ts'
import { createFileRows } from '../files/stores/file-rows.ts'
import type { ObjectStore } from '@floe/storage'
import { guardObjects } from '../integrity/stores/guarded-objects.ts'
import type { FilePlatform } from '../platform.ts'
import type { StorageUsage } from '../quotas/domain/quotas.ts'
import { createStorageUsage } from '../quotas/stores/storage-usage-store.ts'
import type { ShareRemovalStore } from '../removals/domain/share-removals.ts'
import { createShareRemovalStore } from '../removals/stores/share-removal-store.ts'
import type { SegmentStore } from '../archive/domain/segment-ports.ts'
import { createSegmentStore } from '../archive/stores/segment-store.ts'
import type { ThumbnailStore } from '../thumbnails/domain/thumbnail-ports.ts'
import { createThumbnailStore } from '../thumbnails/stores/thumbnail-store.ts'
import { readBootId } from '../uploads/domain/boot-id.ts'
import { logUploads } from '../uploads/domain/upload-log.ts'
import type { BatchStore } from '../uploads/domain/batch-ports.ts'
import type { UploadStore } from '../uploads/domain/upload-ports.ts'
import { createBatchStore } from '../uploads/stores/batch-rows.ts'
import { createUploadStore } from '../uploads/stores/upload-store.ts'

/** Rows and objects, opened once; the wiring of each subject takes from them what it uses. */
export interface Stores {
  bootId: string
  /** Keeps every object while a backup runs. */
  objects: ObjectStore
  uploads: UploadStore
  batches: BatchStore
  files: FileStore
  usage: StorageUsage
  removals: ShareRemovalStore
  segments: SegmentStore
  thumbnails: ThumbnailStore
  counts: DownloadCountStore
  scans: ScanStore
}

export async function openStores(platform: FilePlatform): Promise<Stores> {
  const { database, presence, clock, log } = platform
  const { instanceKey } = presence
  const bootId = platform.bootId ?? (await readBootId())
  const uploads = createUploadStore({
    database,
    clock,
    bootId,
    instanceKey,
    removeObject: (key) => platform.objects.remove([key]),
  })
  return {
    bootId,
    objects: guardObjects(platform),
    uploads: logUploads(uploads, log),
    batches: createBatchStore({ database, clock, bootId }),
    files: createFileRows(database),
    usage: createStorageUsage(database),
    removals: createShareRemovalStore({ database, clock, instanceKey }),
    segments: createSegmentStore({ database, clock, instanceKey }),
    thumbnails: createThumbnailStore({ database, clock, instanceKey }),
    counts: createDownloadCountStore(database),
    scans: createScanStore(database, clock),
  }
}
