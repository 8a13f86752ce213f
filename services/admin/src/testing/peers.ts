import type { FilePort, SharePort } from '@floe/contracts'
import { AppError } from '@floe/errors'

/** What the overview is told by the other services. */
export interface Figures {
  storageBytes: number
  shares: number
  users: number
  /** None of them can be reached. */
  isCut: boolean
}

const notAsked = () => Promise.reject(new Error('The admin service asks no such thing'))

export function createPeers(figures: Figures): {
  share: SharePort
  file: FilePort
  countUsers: () => Promise<{ count: number }>
} {
  async function told<T>(answer: () => T): Promise<T> {
    if (figures.isCut) throw new AppError('upstream_unavailable')
    return answer()
  }
  return {
    countUsers: () => told(() => ({ count: figures.users })),
    share: {
      authorizeRead: notAsked,
      previewShare: notAsked,
      readShare: notAsked,
      authorizeUpload: notAsked,
      uploadTarget: notAsked,
      publishedEditions: notAsked,
      publishedShares: notAsked,
      existing: notAsked,
      countShares: () => told(() => ({ count: figures.shares })),
    },
    file: {
      listFiles: notAsked,
      measureFiles: notAsked,
      listFilesOfShares: notAsked,
      measureShares: notAsked,
      discardChanges: notAsked,
      archiveStatus: notAsked,
      countDownloads: notAsked,
      measureStorage: () => told(() => ({ sizeBytes: figures.storageBytes })),
    },
  }
}
