import { availableParallelism } from 'node:os'
import type { FilePort } from '@floe/contracts'
import type { Database, Presence } from '@floe/db'
import type { Log } from '@floe/log'
import { createThumbnailer } from '@floe/pictures'
import { defineService, type Ports } from '@floe/runtime'
import type { ByteBudget, ObjectStore } from '@floe/storage'
import { createDeflater } from './archive/format/index.ts'
import { createArchivePlans } from './archive/domain/archive-plans.ts'
import { readBootId } from './uploads/domain/boot-id.ts'
import { createCountDownloads } from './downloads/domain/count-downloads.ts'
import { discardChanges } from './files/domain/discard-changes.ts'
import { createDiscard } from './uploads/domain/discard-upload.ts'
import { createDownloadRecorder } from './downloads/domain/download-recorder.ts'
import { createDownloadCounter } from './downloads/domain/download-counter.ts'
import { createLeaseKeeper } from './uploads/domain/lease-keeper.ts'
import type { FileServiceParts } from './parts.ts'
import { createQuotas } from './quotas/domain/quotas.ts'
import { createSegmentBuilds } from './archive/domain/segment-builds.ts'
import { createThumbnailMaking } from './thumbnails/domain/thumbnail-making.ts'
import { createTransferHolds } from './transfers/transfer-holds.ts'
import { type TransferMeter, unmetered } from './transfers/transfer-meter.ts'
import { createUploadTargets } from './uploads/domain/upload-targets.ts'
import { logUploads } from './uploads/domain/upload-log.ts'
import { createUploads } from './uploads/domain/uploads.ts'
import { buildSegments } from './archive/jobs/build-segments.ts'
import { deleteShareFiles } from './removals/jobs/delete-share-files.ts'
import { expireUploads } from './uploads/jobs/expire-uploads.ts'
import { hashShareFiles } from './integrity/jobs/hash-share-files.ts'
import { makeThumbnails } from './thumbnails/jobs/make-thumbnails.ts'
import { purgeRemovedFiles } from './removals/jobs/purge-removed-files.ts'
import { reconcileObjects } from './integrity/jobs/reconcile-objects.ts'
import { createChunkRoutes } from './uploads/routes/chunk-routes.ts'
import { createDownloadRoutes } from './downloads/routes/download-routes.ts'
import { createStorageRoutes } from './quotas/routes/storage-routes.ts'
import { createTusRoutes } from './uploads/routes/tus/upload-routes.ts'
import { createDownloadCountStore } from './downloads/stores/download-count-store.ts'
import { recordDownload } from './downloads/stores/download-events.ts'
import { createFileRows } from './files/stores/file-rows.ts'
import { guardObjects } from './integrity/stores/guarded-objects.ts'
import { createObjectRegister } from './integrity/stores/object-register-rows.ts'
import { createSegmentStore } from './archive/stores/segment-store.ts'
import { createShareRemovalStore } from './removals/stores/share-removal-store.ts'
import { createStorageUsage } from './quotas/stores/storage-usage-store.ts'
import { createThumbnailStore } from './thumbnails/stores/thumbnail-store.ts'
import { createUploadStore } from './uploads/stores/upload-store.ts'

export {
  type CheckReport,
  type Difference,
  type IntegrityCheck,
  type IntegrityRepair,
  listObjects,
  openIntegrityCheck,
  openIntegrityRepair,
  republishFileEvents,
} from './integrity/index.ts'
export type { RegisteredObject } from './integrity/domain/object-register.ts'
export { migrations } from './migrations.ts'

export interface FilePlatform {
  database: Database
  presence: Presence
  objects: ObjectStore
  /** One for the whole process: it bounds the memory of all transfers together. */
  budget: ByteBudget
  log: Log
  clock: () => Date
  metrics?: TransferMeter
  /** Names this run of the machine; asked of the system when absent. */
  bootId?: string
}

/** Of the four threads that libuv has for files and hashes as well. */
const MOST_DEFLATES = 3

type Needs = 'auth' | 'share' | 'admin'

/** Bytes in and out: uploads, objects, downloads, archives. */
export const fileService = defineService<'file', Needs, FilePlatform>({
  name: 'file',
  paths: [
    '/api/shares/:shareId/files',
    '/api/uploads',
    '/api/users/me/storage',
    '/api/users/storage',
  ],
  needs: ['auth', 'share', 'admin'],
  create: async ({ platform, ports }) => {
    const parts = await assemble(platform, ports)
    return {
      routes: [
        ...createTusRoutes(parts),
        ...createChunkRoutes(parts),
        ...createDownloadRoutes(parts),
        ...createStorageRoutes(parts),
      ],
      consumers: [
        deleteShareFiles(parts),
        hashShareFiles(parts),
        buildSegments(parts),
        makeThumbnails(parts),
        expireUploads(parts),
        purgeRemovedFiles(parts),
        reconcileObjects(parts),
      ],
      port: createFilePort(parts),
      stop: async () => {
        const { transfers, counter, leases, thumbnailer } = parts
        await Promise.all([transfers.stop(), counter.stop(), leases.stop(), thumbnailer.stop()])
      },
    }
  },
})

async function assemble(
  platform: FilePlatform,
  ports: Pick<Ports, Needs>,
): Promise<FileServiceParts> {
  const { database, presence, budget, clock, log, metrics: meter = unmetered } = platform
  const objects = guardObjects(platform)
  const { instanceKey } = presence
  const bootId = platform.bootId ?? (await readBootId())
  const store = logUploads(
    createUploadStore({
      database,
      clock,
      bootId,
      instanceKey,
      removeObject: (key) => platform.objects.remove([key]),
    }),
    log,
  )
  const files = createFileRows(database)
  const usage = createStorageUsage(database)
  const leases = await createLeaseKeeper({ store, presence })
  const targets = createUploadTargets({ share: ports.share, clock })
  const uploads = createUploads({
    store,
    objects,
    leases,
    budget,
    targets,
    bootId,
    meter,
    clock,
  })
  const segments = createSegmentStore({ database, clock, instanceKey })
  const counts = createDownloadCountStore(database)
  const counter = createDownloadCounter({ counts, log, clock })
  const removals = createShareRemovalStore({ database, clock, instanceKey })
  const thumbnails = createThumbnailStore({ database, clock, instanceKey })
  const thumbnailer = createThumbnailer({ log })
  const deflater = createDeflater({
    concurrency: Math.max(2, Math.min(availableParallelism(), MOST_DEFLATES)),
  })
  return {
    store,
    usage,
    quotas: createQuotas({ auth: ports.auth, admin: ports.admin, usage, clock }),
    files,
    leases,
    uploads,
    targets,
    objects,
    register: createObjectRegister({ database, bootId }),
    removals,
    transfers: createTransferHolds({ removals, log }),
    budget,
    plans: createArchivePlans({ files, segments, clock }),
    counts,
    counter,
    downloads: createDownloadRecorder({
      count: (downloaded) => counter.count(downloaded),
      record: (shareUid) => recordDownload(database, shareUid),
      log,
      clock,
    }),
    segments,
    segmentBuilds: createSegmentBuilds({
      segments,
      // Removes only what it is making, often to begin it anew under the same key.
      objects: platform.objects,
      budget,
      deflater,
      log,
    }),
    thumbnails,
    thumbnailer,
    thumbnailMaking: createThumbnailMaking({ thumbnails, objects, thumbnailer, log }),
    meter,
    clock,
    log,
    ports,
    discard: createDiscard({ store, leases, objects }),
  }
}

function createFilePort(parts: FileServiceParts): FilePort {
  const { files, thumbnails, plans } = parts
  return {
    listFiles: async ({ grant, most }) => {
      const [stored, sizes] = await Promise.all([
        files.list(grant, most),
        thumbnails.sizesOf(grant.shareUid),
      ])
      return stored.map(({ id, name, sizeBytes, sha256 }) => {
        const thumbnail = sizes.get(id)
        const digest = sha256?.toString('hex') ?? null
        return { id, name, sizeBytes, sha256: digest, ...(thumbnail && { thumbnail }) }
      })
    },
    measureFiles: ({ grant }) => files.measureEdition(grant),
    listFilesOfShares: async ({ grants }) => {
      const byShare = await files.listOfShares(grants)
      return [...byShare].map(([shareUid, listed]) => ({ shareUid, files: listed }))
    },
    measureStorage: async () => ({ sizeBytes: await files.sumSizes() }),
    measureShares: ({ shareUids }) => files.measure(shareUids),
    discardChanges: async (published) => {
      await discardChanges(parts, published)
      return {}
    },
    archiveStatus: ({ grant }) => plans.statusFor(grant),
    countDownloads: createCountDownloads(parts),
  }
}
