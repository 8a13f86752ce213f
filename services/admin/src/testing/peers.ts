import type { FilePort, SharePort } from '@floe/contracts'
import { AppError } from '@floe/errors'

/** What the other services return for the overview. */
export interface DailyMetrics {
  storageBytes: number
  shares: number
  users: number
  /** None of them can be reached. */
  isCut: boolean
}

const notAsked = () => Promise.reject(new Error('The admin service asks no such thing'))

export function createPeers(metrics: DailyMetrics): {
  share: SharePort
  file: FilePort
  countUsers: () => Promise<{ count: number }>
} {
  async function told<T>(read: () => T): Promise<T> {
    if (metrics.isCut) throw new AppError('upstream_unavailable')
    return read()
  }
  return {
    countUsers: () => told(() => ({ count: metrics.users })),
    share: {
      authorizeRead: notAsked,
      previewShare: notAsked,
      readShare: notAsked,
      authorizeUpload: notAsked,
      uploadTarget: notAsked,
      publishedEditions: notAsked,
      publishedShares: notAsked,
      existing: notAsked,
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
      measureStorage: () => told(() => ({ sizeBytes: metrics.storageBytes })),
    },
  }
}
