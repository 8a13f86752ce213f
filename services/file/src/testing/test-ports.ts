import { randomUUID } from 'node:crypto'
import {
  type AdminPort,
  type AuthPort,
  defaultSettings,
  type ReadGrant,
  type RequestCredentials,
  type Settings,
  type SharePort,
  type UploadGrant,
} from '@floe/contracts'
import { AppError } from '@floe/errors'

export interface TestShare {
  uid: string
  id: string
  /** Whose access token `token-<userId>` may add files; null: who has the owner's cookie. */
  userId: string | null
  /** Whose reverse share it is sent through. */
  receiverId: string | null
  ownerToken: string
  state: 'open' | 'locked' | 'gone'
  /** The published one; a share that has none shows visitors what its first will be. */
  edition: number
  /** Opened while its files are uploaded. */
  isUploading: boolean
  archiveLevel: number
  maxSizeBytes: number
}

/** The services next door, reduced to what uploads ask of them. */
export interface TestPorts {
  share: SharePort
  auth: AuthPort
  admin: AdminPort
  settings: Settings
  /** What accounts may store, by user id, where it is not the setting. */
  storageLimits: Map<string, number>
  addShare(properties?: Partial<TestShare>): TestShare
  /** Publishes what was worked on. */
  complete(share: TestShare): void
}

export function createTestPorts(): TestPorts {
  const shares = new Map<string, TestShare>()
  const settings = { ...defaultSettings() }
  const storageLimits = new Map<string, number>()
  return {
    settings,
    storageLimits,
    addShare: (properties = {}) => {
      const share: TestShare = {
        uid: randomUUID(),
        id: `share-${randomUUID().slice(0, 8)}`,
        userId: randomUUID(),
        receiverId: null,
        ownerToken: randomUUID(),
        state: 'open',
        edition: 0,
        isUploading: false,
        archiveLevel: settings['share.zipCompressionLevel'],
        maxSizeBytes: 0,
        ...properties,
      }
      shares.set(share.id, share)
      return share
    },
    complete: (share) => {
      if (!share.isUploading) share.edition += 1
      share.isUploading = false
      share.archiveLevel = settings['share.zipCompressionLevel']
      share.state = 'locked'
    },
    share: createSharePort(shares),
    auth: createAuthPort(storageLimits),
    admin: {
      settings: async () => settings,
      logo: async () => ({ version: null, darkVersion: null }),
      setup: async () => ({ isFinished: true }),
      icons: async () => ({ icons: null }),
    },
  }
}

function workedOn({ edition, isUploading }: TestShare) {
  return { edition: isUploading ? edition : edition + 1, isPublished: isUploading }
}

function isOwnedBy(
  { userId, ownerToken }: TestShare,
  credentials: Pick<RequestCredentials, 'accessToken' | 'ownerToken'>,
): boolean {
  return userId === null
    ? credentials.ownerToken === ownerToken
    : credentials.accessToken === `token-${userId}`
}

function createSharePort(shares: ReadonlyMap<string, TestShare>): SharePort {
  const byUid = (uid: string) => [...shares.values()].find((share) => share.uid === uid)

  const existing = (id: string): TestShare => {
    const share = shares.get(id)
    if (!share || share.state === 'gone') throw new AppError('share_not_found')
    return share
  }

  return {
    authorizeRead: async ({ shareId, credentials }) => {
      const share = existing(shareId)
      const { uid, id, edition, archiveLevel } = share
      return {
        shareUid: uid,
        shareId: id,
        hasPassword: false,
        isOwner: isOwnedBy(share, credentials),
        edition: Math.max(edition, 1),
        archiveLevel,
        isUploading: share.isUploading,
      } as ReadGrant
    },
    previewShare: () => Promise.reject(new AppError('share_not_found')),
    readShare: () => Promise.reject(new AppError('share_not_found')),
    authorizeShare: () => Promise.reject(new AppError('share_not_found')),
    beginShare: () => Promise.reject(new AppError('share_not_found')),
    completeShare: () => Promise.reject(new AppError('share_not_found')),
    abandonShare: () => Promise.reject(new AppError('share_not_found')),
    deleteByLink: () => Promise.reject(new AppError('share_not_found')),
    authorizeUpload: async ({ shareId, credentials }) => {
      const share = existing(shareId)
      if (!isOwnedBy(share, credentials)) throw new AppError('forbidden')
      if (share.state === 'locked') throw new AppError('share_locked')
      const { uid: shareUid, userId, maxSizeBytes } = share
      const chargedTo = share.receiverId ?? userId
      const grant = { shareUid, shareId, userId, chargedTo, maxSizeBytes, ...workedOn(share) }
      return grant as UploadGrant
    },
    uploadTarget: async ({ shareUid }) => {
      const share = byUid(shareUid)
      return {
        state: share?.state ?? 'gone',
        maxSizeBytes: share?.maxSizeBytes ?? 0,
        ...(share ? workedOn(share) : { edition: 0, isPublished: false }),
      }
    },
    countShares: async () => ({ count: shares.size }),
    publishedEditions: async ({ shareUids }) =>
      shareUids.flatMap((shareUid) => {
        const share = byUid(shareUid)
        if (!share || share.state === 'gone') return []
        const { id: shareId, edition, archiveLevel } = share
        return [{ shareUid, shareId, edition, archiveLevel }]
      }),
    publishedShares: async ({ after, limit }) =>
      [...shares.values()]
        .filter(({ uid, edition, state }) => edition > 0 && state !== 'gone' && uid > (after ?? ''))
        .sort((a, b) => (a.uid < b.uid ? -1 : 1))
        .slice(0, limit)
        .map(({ uid: shareUid, id: shareId, edition }) => ({ shareUid, shareId, edition })),
    listOwnData: () => Promise.reject(new Error('not asked here')),
    existing: async ({ shareUids }) =>
      shareUids.filter((uid) => (byUid(uid)?.state ?? 'gone') !== 'gone'),
  }
}

function createAuthPort(storageLimits: ReadonlyMap<string, number>): AuthPort {
  return {
    checkToken: async () => ({ isInScope: false }),
    listOwnData: () => Promise.reject(new Error('not asked here')),
    identify: async ({ accessToken }) => {
      const userId = /^token-(.+)$/.exec(accessToken ?? '')?.[1]
      if (userId === undefined) return null
      const name = userId.slice(0, 8)
      return {
        userId,
        sessionId: randomUUID(),
        username: name,
        email: `${name}@example.test`,
        isAdmin: false,
        hasPassword: true,
        totpVerified: false,
        emailStanding: 'assumed',
      }
    },
    findUsers: async () => [],
    hasWorkingProvider: async () => ({ isThere: false }),
    storageLimit: async ({ userId }) => ({
      maxBytes: storageLimits.get(userId) ?? null,
      maxShareBytes: null,
    }),
    searchUsers: async () => [],
    listAdministrators: async () => [],
    countUsers: async () => ({ count: 0 }),
  }
}
