import type { FilePort, FileScan, ScanReport } from '@floe/contracts'
import type { ObjectStore } from '@floe/storage'
import type { FileGate } from './antivirus/domain/file-gate.ts'
import type { ScanStore } from './antivirus/domain/scan-ports.ts'
import type { ArchivePlans } from './archive/domain/archive-plans.ts'
import {
  type CountDownloadsDependencies,
  createCountDownloads,
} from './downloads/domain/count-downloads.ts'
import { discardChanges, type DiscardChangesDependencies } from './files/domain/discard-changes.ts'
import type { FileListing, FileSizes, FileStore } from './files/domain/file-ports.ts'
import type { ThumbnailListing } from './thumbnails/domain/thumbnail-ports.ts'
import type { UploadRecords } from './uploads/domain/upload-ports.ts'

/** Unfinished uploads that are told by name. */
const MOST_LISTED = 1000

export interface FilePortDependencies
  extends DiscardChangesDependencies, CountDownloadsDependencies {
  files: Pick<FileStore, 'discardChanges'> & FileListing & FileSizes
  uploads: DiscardChangesDependencies['uploads'] & Pick<UploadRecords, 'describeUnfinished'>
  thumbnails: Pick<ThumbnailListing, 'objectKeysAddedAfter' | 'sizesOf'>
  plans: Pick<ArchivePlans, 'statusFor'>
  gate: Pick<FileGate, 'awaited' | 'describe'>
  scans: Pick<ScanStore, 'countIn'>
  report(): Promise<ScanReport | null>
  objects: Pick<ObjectStore, 'measureDisk' | 'remove'>
}

/** What the file service offers the other services. */
export function createFilePort(dependencies: FilePortDependencies): Omit<FilePort, 'listOwnData'> {
  const { files, uploads, thumbnails, plans, gate, scans, objects } = dependencies

  function withScan<F extends { scan: FileScan }>({ scan: known, ...file }: F) {
    const scan = gate.describe(known)
    return { ...file, ...(scan && { scan }) }
  }

  return {
    listFiles: async ({ grant, most }) => {
      const [stored, sizes] = await Promise.all([
        files.list(grant, most),
        thumbnails.sizesOf(grant.shareUid),
      ])
      return stored.map(({ id, name, sizeBytes, sha256, scan }) => {
        const thumbnail = sizes.get(id)
        const digest = sha256?.toString('hex') ?? null
        const file = { id, name, sizeBytes, sha256: digest, scan }
        return { ...withScan(file), ...(thumbnail && { thumbnail }) }
      })
    },
    listUnfinished: ({ grant }) => uploads.describeUnfinished(grant.shareUid, MOST_LISTED),
    measureFiles: ({ grant }) => files.measureEdition(grant),
    listFilesOfShares: async ({ grants }) => {
      const byShare = await files.listOfShares(grants)
      return [...byShare].map(([shareUid, listed]) => ({ shareUid, files: listed.map(withScan) }))
    },
    measureStorage: async () => ({ sizeBytes: await files.sumSizes() }),
    measureDisk: () => objects.measureDisk(),
    measureShares: async ({ shareUids }) => {
      const [measured, awaited] = await Promise.all([files.measure(shareUids), gate.awaited()])
      if (awaited.length === 0) return measured
      const waiting = await scans.countIn(shareUids, awaited)
      return measured.map((one) => ({ ...one, waiting: waiting.get(one.shareUid) ?? 0 }))
    },
    scanReport: async () => ({ report: await dependencies.report() }),
    discardChanges: async (published) => {
      await discardChanges(dependencies, published)
      return {}
    },
    archiveStatus: ({ grant }) => plans.statusFor(grant),
    countDownloads: createCountDownloads(dependencies),
  }
}
