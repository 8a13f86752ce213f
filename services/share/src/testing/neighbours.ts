import { randomUUID } from 'node:crypto'
import type {
  AuthPort,
  FilePort,
  FileScan,
  Identity,
  ReadGrant,
  UnfinishedFiles,
} from '@floe/contracts'
import { AppError } from '@floe/errors'

export interface StoredFile {
  id: string
  name: string
  sizeBytes: number
  sha256: string | null
  addedEdition: number
  removedEdition: number | null
  scan?: FileScan
}

export interface StoredOfShares {
  /** Files by share uid. */
  files: Map<string, StoredFile[]>
  /** Uploads that are no files yet, by share uid. */
  unfinished: Map<string, UnfinishedFiles>
  /** How many files must be scanned first, where files are held. */
  waiting: { of: ((shareUid: string) => number) | null }
}

export function createIdentity(isAdmin: boolean): Identity {
  const userId = randomUUID()
  const username = `user_${userId.slice(0, 8)}`
  return {
    userId,
    username,
    isAdmin,
    hasPassword: true,
    totpVerified: false,
    emailStanding: 'assumed',
    sessionId: randomUUID(),
    email: `${username}@example.org`,
  }
}

export interface KnownUser extends Identity {
  showsName: boolean
  shareSizeLimit: number | null
}

/** Knows the users by the access tokens of their browsers. */
export function createAuth(users: ReadonlyMap<string, KnownUser>): AuthPort {
  return {
    identify: async ({ accessToken }) => users.get(accessToken ?? '') ?? null,
    checkToken: async () => ({ isInScope: false }),
    listOwnData: () => Promise.reject(new Error('not asked here')),
    findUsers: async ({ ids }) =>
      [...users.values()]
        .filter(({ userId }) => ids.includes(userId))
        .map(({ userId, isAdmin, sharingExceptions = {}, ...shown }) => ({
          id: userId,
          ...{ username: shown.username, email: shown.email, showsName: shown.showsName },
          ...{ isAdmin, sharingExceptions },
        })),
    countUsers: async () => ({ count: users.size }),
    storageLimit: async ({ userId }) => {
      const user = [...users.values()].find((one) => one.userId === userId)
      return { maxBytes: null, maxShareBytes: user?.shareSizeLimit ?? null }
    },
    listAdministrators: async () => [],
    hasWorkingProvider: async () => ({ isThere: false }),
    searchUsers: async ({ text }) =>
      [...users.values()]
        .filter(({ username, email }) => username.includes(text) || email.includes(text))
        .map(({ userId }) => userId),
  }
}

const downloadedAt = '2026-05-01T11:30:00.000Z'

/** Every file was downloaded twice, every archive once. */
export function createFiles({ files, unfinished, waiting }: StoredOfShares): FilePort {
  const list = ({ shareUid, edition }: Pick<ReadGrant, 'shareUid' | 'edition'>) =>
    (files.get(shareUid) ?? []).filter(
      ({ addedEdition, removedEdition }) =>
        addedEdition <= edition && (removedEdition === null || removedEdition > edition),
    )
  return {
    listFiles: async ({ grant, most }) => list(grant).slice(0, most),
    measureFiles: async ({ grant }) => {
      const listed = list(grant)
      const sizeBytes = listed.reduce((sum, file) => sum + file.sizeBytes, 0)
      return { fileCount: listed.length, sizeBytes }
    },
    listFilesOfShares: async ({ grants }) =>
      grants.map((grant) => ({ shareUid: grant.shareUid, files: list(grant) })),
    listUnfinished: async ({ grant }) =>
      unfinished.get(grant.shareUid) ?? { fileCount: 0, sizeBytes: 0, receivedBytes: 0, files: [] },
    archiveStatus: async ({ grant }) => ({ isReady: !grant.isUploading }),
    measureStorage: async () => ({ sizeBytes: 0 }),
    listOwnData: () => Promise.reject(new Error('not asked here')),
    measureDisk: async () => null,
    scanReport: async () => ({ report: null }),
    discardChanges: async ({ shareUid, edition }) => {
      const published = list({ shareUid, edition })
      for (const file of published) file.removedEdition = null
      files.set(shareUid, published)
      return {}
    },
    countDownloads: async ({ grant, only }) => {
      const listed = list(grant)
      const isKnown = only === null || only === 'zip' || listed.some(({ id }) => id === only)
      if (!isKnown) throw new AppError('file_not_found')
      return {
        hours: [],
        archive: { total: 1, lastDownloadedAt: downloadedAt },
        files: listed.map((file) => ({ ...file, total: 2, lastDownloadedAt: downloadedAt })),
      }
    },
    measureShares: async ({ shareUids }) =>
      shareUids.map((shareUid) => {
        const own = list({ shareUid, edition: Infinity })
        const sizeBytes = own.reduce((sum, file) => sum + file.sizeBytes, 0)
        const held = waiting.of && { waiting: waiting.of(shareUid) }
        return { shareUid, fileCount: own.length, sizeBytes, ...held }
      }),
  }
}
