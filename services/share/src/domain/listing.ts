import type {
  ArchiveStatus,
  AuthPort,
  Downloadable,
  FilePort,
  ReadGrant,
  RequestCredentials,
  ShareContents,
  ShareListQuery,
  SharePreview,
  ThumbnailSize,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { nameCreators } from './creators.ts'
import type { CallerCredentials, Ownership, Standing } from './ownership.ts'
import type { ShareStore } from './ports.ts'
import { grantRead, grantWorkingRead } from './read-grant.ts'
import { requirePublished, type Share } from './share.ts'
import type { Visits } from './visits.ts'

export interface ListedFile {
  id: string
  name: string
  sizeBytes: number
  sha256: string | null
  thumbnail?: ThumbnailSize | undefined
}

/** A share with what belongs to it in other services. */
export interface ShareContent {
  share: Share
  files: readonly ListedFile[]
  /** `null` for a share made without signing in. */
  creatorName: string | null
}
export interface OwnShareContent extends ShareContent {
  /** Empty for anybody but the owner. */
  recipients: readonly string[]
}
export interface ShareSummary {
  share: Share
  sizeBytes: number
  creatorName: string | null
}

export interface Listing {
  /** As it is published, for the holder of the visit token; fails like `Visits.requireVisit`. */
  readShare(id: string, credentials: RequestCredentials): Promise<ShareContent>
  /** What `sharePort.previewShare` promises. */
  previewShare(id: string): Promise<SharePreview>
  /** What `sharePort.readShare` promises. */
  readFirstFiles(
    id: string,
    reader: { credentials: RequestCredentials; mostFiles: number | null },
  ): Promise<ShareContents>
  /** Is Download all ready? Fails like `readShare`. */
  archiveStatus(id: string, credentials: RequestCredentials): Promise<ArchiveStatus>
  /**
   * As it is being worked on; for whoever received it, as it is published.
   * Fails with share_not_found, forbidden.
   */
  readShareAsOwner(id: string, caller: CallerCredentials): Promise<OwnShareContent>
  /** A share that the caller was already allowed to change. */
  describeChangedShare(share: Share, caller: CallerCredentials): Promise<OwnShareContent>
  /** Fails with forbidden. */
  listOwnShares(accessToken: string | null): Promise<OwnShareContent[]>
  /** Those that match, and how many there are in all. Fails with forbidden. */
  listAllShares(
    query: ShareListQuery,
    accessToken: string | null,
  ): Promise<{ shares: ShareSummary[]; total: number }>
}

export interface ListingDeps {
  shares: ShareStore
  files: FilePort
  auth: AuthPort
  ownership: Ownership
  visits: Visits
  clock: () => Date
}

export function createListing(deps: ListingDeps): Listing {
  const { shares, files, auth, ownership, visits, clock } = deps

  async function describeShare(share: Share, standing: Standing): Promise<OwnShareContent> {
    const { isOwner, isAdmin } = standing
    const [creatorOf, listed, recipients] = await Promise.all([
      nameCreators(auth, [share]),
      files.listFiles({ grant: isOwner || isAdmin ? grantWorkingRead(share) : grantRead(share) }),
      isOwner ? shares.listRecipients([share.uid]) : new Map<string, string[]>(),
    ])
    return {
      share,
      files: listed,
      creatorName: creatorOf(share),
      recipients: recipients.get(share.uid) ?? [],
    }
  }

  async function previewOf(share: Share): Promise<SharePreview> {
    const grant = grantRead(share)
    const { fileCount, sizeBytes } = await files.measureFiles({ grant })
    const download = fileCount === 1 ? await soleFile(grant) : await archiveOf(grant)
    const { name, expiresAt } = share
    return { name, expiresAt: expiresAt?.toISOString() ?? null, fileCount, sizeBytes, download }
  }

  async function soleFile(grant: ReadGrant): Promise<Downloadable | null> {
    const [file] = await files.listFiles({ grant, most: 1 })
    return file?.id ?? null
  }

  async function archiveOf(grant: ReadGrant): Promise<Downloadable | null> {
    const { isReady } = await files.archiveStatus({ grant })
    return isReady ? 'zip' : null
  }

  return {
    describeChangedShare: async (share, caller) =>
      describeShare(share, await ownership.judge(share, caller)),

    readShare: async (id, credentials) => {
      const share = await visits.requireVisit(id, credentials)
      const [creatorOf, listed] = await Promise.all([
        nameCreators(auth, [share]),
        files.listFiles({ grant: grantRead(share) }),
      ])
      return { share, files: listed, creatorName: creatorOf(share) }
    },

    previewShare: async (id) => previewOf(await visits.requireOpen(id)),

    readFirstFiles: async (id, { credentials, mostFiles }) => {
      const share = await visits.requireVisit(id, credentials)
      const grant = grantRead(share)
      const [preview, listed] = await Promise.all([
        previewOf(share),
        files.listFiles({ grant, ...(mostFiles !== null && { most: mostFiles }) }),
      ])
      return {
        ...preview,
        description: share.description,
        files: listed.map(({ id, name, sizeBytes }) => ({ id, name, sizeBytes })),
      }
    },

    archiveStatus: async (id, credentials) => {
      const share = await visits.requireVisit(id, credentials)
      return files.archiveStatus({ grant: grantRead(share) })
    },

    readShareAsOwner: async (id, caller) => {
      const share = await shares.findById(id)
      if (share === null) throw new AppError('share_not_found')
      const standing = await ownership.judge(share, caller)
      const { isOwner, isReceiver, isAdmin } = standing
      if (isOwner || isAdmin) return describeShare(share, standing)
      if (!isReceiver) throw new AppError('forbidden')
      return describeShare(requirePublished(share, clock()), standing)
    },

    listOwnShares: async (accessToken) => {
      const { userId, username } = await ownership.requireUser(accessToken)
      const own = await shares.listPublishedByCreator(userId, clock())
      if (own.length === 0) return []
      const [recipients, listed] = await Promise.all([
        shares.listRecipients(own.map(({ uid }) => uid)),
        files.listFilesOfShares({ grants: own.map(grantWorkingRead) }),
      ])
      const filesOf = new Map(listed.map((entry) => [entry.shareUid, entry.files]))
      return own.map((share) => ({
        share,
        files: filesOf.get(share.uid) ?? [],
        creatorName: username,
        recipients: recipients.get(share.uid) ?? [],
      }))
    },

    listAllShares: async ({ search, ...rest }, accessToken) => {
      await ownership.requireAdmin(accessToken)
      const { shares: all, total } = await shares.listAll({
        ...rest,
        ...(search && {
          search: { text: search, creatorIds: await auth.searchUsers({ text: search }) },
        }),
      })
      if (all.length === 0) return { shares: [], total }
      const [creatorOf, sizes] = await Promise.all([
        nameCreators(auth, all),
        files.measureShares({ shareUids: all.map(({ uid }) => uid) }),
      ])
      const sizeOf = new Map(sizes.map(({ shareUid, sizeBytes }) => [shareUid, sizeBytes]))
      const summaries = all.map((share) => ({
        share,
        sizeBytes: sizeOf.get(share.uid) ?? 0,
        creatorName: creatorOf(share),
      }))
      return { shares: summaries, total }
    },
  }
}
