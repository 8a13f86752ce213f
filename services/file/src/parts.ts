import type { AdminPort, AuthPort, SharePort } from '@floe/contracts'
import type { Log } from '@floe/log'
import type { Thumbnailer } from '@floe/pictures'
import type { ByteBudget, ObjectStore } from '@floe/storage'
import type { ArchivePlans } from './archive/domain/archive-plans.ts'
import type { DownloadRecorder } from './downloads/domain/download-recorder.ts'
import type { DownloadCounter } from './downloads/domain/download-counter.ts'
import type { LeaseKeeper } from './uploads/domain/lease-keeper.ts'
import type { ObjectRegister } from './integrity/domain/object-register.ts'
import type { UploadStore } from './uploads/domain/upload-ports.ts'
import type { FileStore } from './files/domain/file-ports.ts'
import type { DownloadCountStore } from './downloads/domain/download-ports.ts'
import type { Quotas, StorageUsage } from './quotas/domain/quotas.ts'
import type { SegmentBuilds } from './archive/domain/segment-builds.ts'
import type { SegmentStore } from './archive/domain/segment-ports.ts'
import type { ThumbnailMaking } from './thumbnails/domain/thumbnail-making.ts'
import type { ThumbnailStore } from './thumbnails/domain/thumbnail-ports.ts'
import type { ShareRemovalStore } from './removals/domain/share-removals.ts'
import type { TransferMeter } from './transfers/transfer-meter.ts'
import type { TransferHolds } from './transfers/transfer-holds.ts'
import type { UploadTargets } from './uploads/domain/upload-targets.ts'
import type { Uploads } from './uploads/domain/uploads.ts'

/** What the file service is made of; routes and jobs take from it what they need. */
export interface FileServiceParts {
  store: UploadStore
  usage: StorageUsage
  quotas: Quotas
  files: FileStore
  objects: ObjectStore
  register: ObjectRegister
  removals: ShareRemovalStore
  transfers: TransferHolds
  leases: LeaseKeeper
  budget: ByteBudget
  uploads: Uploads
  targets: UploadTargets
  plans: ArchivePlans
  downloads: DownloadRecorder
  counter: DownloadCounter
  counts: DownloadCountStore
  segments: SegmentStore
  segmentBuilds: SegmentBuilds
  thumbnails: ThumbnailStore
  thumbnailer: Thumbnailer
  thumbnailMaking: ThumbnailMaking
  meter: TransferMeter
  clock: () => Date
  log: Log
  ports: { auth: AuthPort; share: SharePort; admin: AdminPort }
  /** Ends an upload for good: writer, row and object. False if it was not there. */
  discard(uploadId: string, options?: { unfinishedOnly?: boolean }): Promise<boolean>
}
