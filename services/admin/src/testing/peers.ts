import type { AuthPort, FilePort, ScanReport, SharePort } from '@floe/contracts'
import { AppError } from '@floe/errors'

/** What the other services return for the overview. */
export interface DailyMetrics {
  storageBytes: number
  shares: number
  users: number
  /** What its disk is like, if it is on one. */
  disk: { usedBytes: number; totalBytes: number } | null
  scans: ScanReport | null
  administrators: { id: string; email: string }[]
  /** None of them can be reached. */
  isCut: boolean
  /** The file service alone cannot be reached. */
  isFileCut: boolean
}

const notAsked = () => Promise.reject(new Error('The admin service asks no such thing'))

export function createPeers(metrics: DailyMetrics): {
  share: SharePort
  file: FilePort
  countUsers: AuthPort['countUsers']
  listAdministrators: AuthPort['listAdministrators']
} {
  async function told<T>(read: () => T): Promise<T> {
    if (metrics.isCut) throw new AppError('upstream_unavailable')
    return read()
  }
  const toldByFile = <T>(read: () => T) =>
    told(() => {
      if (metrics.isFileCut) throw new AppError('upstream_unavailable')
      return read()
    })
  return {
    countUsers: () => told(() => ({ count: metrics.users })),
    listAdministrators: () => told(() => metrics.administrators),
    share: {
      authorizeRead: notAsked,
      previewShare: notAsked,
      readShare: notAsked,
      authorizeUpload: notAsked,
      deleteByLink: () => Promise.reject(new Error('not asked here')),
      authorizeShare: notAsked,
      beginShare: notAsked,
      completeShare: notAsked,
      abandonShare: notAsked,
      uploadTarget: notAsked,
      publishedEditions: notAsked,
      publishedShares: notAsked,
      existing: notAsked,
      listOwnData: notAsked,
      countShares: () => told(() => ({ count: metrics.shares })),
    },
    file: {
      listFiles: notAsked,
      listUnfinished: notAsked,
      measureFiles: notAsked,
      listFilesOfShares: notAsked,
      measureShares: notAsked,
      discardChanges: notAsked,
      archiveStatus: notAsked,
      countDownloads: notAsked,
      listOwnData: notAsked,
      scanReport: () => toldByFile(() => ({ report: metrics.scans })),
      measureDisk: () => toldByFile(() => metrics.disk),
      measureStorage: () => toldByFile(() => ({ sizeBytes: metrics.storageBytes })),
    },
  }
}
