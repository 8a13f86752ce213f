import type { AdminPort, AuthPort, SharePort } from '@floe/contracts'
import type { Log } from '@floe/log'
import type { Thumbnailer } from '@floe/pictures'
import type { ByteBudget, ObjectStore } from '@floe/storage'
import type { ArchivePlans } from './archive-plans.ts'
import type { DownloadNotes } from './download-notes.ts'
import type { DownloadTally } from './download-tally.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import type { ObjectRegister } from './object-register.ts'
import type { DownloadCountStore, FileStore, UploadStore } from './ports.ts'
import type { Quotas, StorageUsage } from './quotas.ts'
import type { SegmentBuilds } from './segment-builds.ts'
import type { SegmentStore } from './segment-ports.ts'
import type { ThumbnailMaking } from './thumbnail-making.ts'
import type { ThumbnailStore } from './thumbnail-ports.ts'
import type { ShareRemovalStore } from './share-removals.ts'
import type { TransferMeter } from './transfer-meter.ts'
import type { TransferHolds } from './transfer-holds.ts'
import type { UploadTargets } from './upload-targets.ts'
import type { Uploads } from './uploads.ts'

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
  downloads: DownloadNotes
  tally: DownloadTally
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
