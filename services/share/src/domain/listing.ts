import type {
  AdminPort,
  ArchiveStatus,
  AuthPort,
  FilePort,
  FileScan,
  Identity,
  ShareListQuery,
  ThumbnailSize,
} from '@floe/contracts'
import { type ComingFiles, readComing } from './coming-files.ts'
import { nameCreators, nameSender } from './creators.ts'
import type { ShareStore } from './ports.ts'
import { grantRead, grantWorkingRead } from './read-grant.ts'
import { keptAt, keptUntil } from './retention.ts'
import type { Share } from './share.ts'
import type { SeenShare } from './share-access.ts'

export interface ListedFile {
  id: string
  name: string
  sizeBytes: number
  sha256: string | null
  thumbnail?: ThumbnailSize | undefined
  scan?: FileScan | undefined
}

/** A share with what belongs to it in other services. */
export interface ShareContent {
  share: Share
  files: readonly ListedFile[]
  /** What has not arrived yet; `null` unless the share is uploading. */
  coming: ComingFiles | null
  /** `null` for a share made without signing in, and for visitors who are not told. */
  creatorName: string | null
}
export interface OwnShareContent extends ShareContent {
  /** Empty for anybody but the owner. */
  recipients: readonly string[]
  /** Set while its files outlive its end. */
  keptUntil: Date | null
}
export interface ShareSummary {
  share: Share
  sizeBytes: number
  creatorName: string | null
  keptUntil: Date | null
}

export interface Listing {
  /** Returns what is published, as visitors see it. */
  readShare(share: Share): Promise<ShareContent>
  /** Is Download all ready? */
  archiveStatus(share: Share): Promise<ArchiveStatus>
  /** Returns what the caller may see. */
  readShareAsOwner(seen: SeenShare): Promise<OwnShareContent>
  listOwnShares(owner: Identity): Promise<OwnShareContent[]>
  /** For administrators: one page of the matching shares, and how many match in all. */
  listAllShares(query: ShareListQuery): Promise<{ shares: ShareSummary[]; total: number }>
}

export interface ListingDeps {
  shares: ShareStore
  files: FilePort
  auth: AuthPort
  admin: AdminPort
  clock: () => Date
}

export function createListing(deps: ListingDeps): Listing {
  const { shares, files, auth, admin, clock } = deps

  return {
    readShare: async (share) => {
      const [creatorName, listed] = await Promise.all([
        nameSender(auth, share),
        files.listFiles({ grant: grantRead(share) }),
      ])
      const coming = (await readComing(deps, [{ share, files: listed }])).get(share.uid) ?? null
      return { share, files: listed, coming, creatorName }
    },

    archiveStatus: (share) => files.archiveStatus({ grant: grantRead(share) }),

    readShareAsOwner: async ({ share, standing: { isOwner }, grant }) => {
      const [creatorOf, listed, recipients, settings] = await Promise.all([
        nameCreators(auth, [share]),
        files.listFiles({ grant }),
        isOwner ? shares.listRecipients([share.uid]) : new Map<string, string[]>(),
        admin.settings({}),
      ])
      const coming = await readComing(deps, [{ share, files: listed }])
      return {
        share,
        files: listed,
        coming: coming.get(share.uid) ?? null,
        creatorName: creatorOf(share),
        recipients: recipients.get(share.uid) ?? [],
        keptUntil: keptUntil(share, settings, clock()),
      }
    },

    listOwnShares: async ({ userId, username }) => {
      const [settings, now] = [await admin.settings({}), clock()]
      const own = await shares.listPublishedByCreator(userId, keptAt(settings, now))
      if (own.length === 0) return []
      const [recipients, listed] = await Promise.all([
        shares.listRecipients(own.map(({ uid }) => uid)),
        files.listFilesOfShares({ grants: own.map(grantWorkingRead) }),
      ])
      const filesOf = new Map(listed.map((entry) => [entry.shareUid, entry.files]))
      const contents = own.map((share) => ({ share, files: filesOf.get(share.uid) ?? [] }))
      const coming = await readComing(deps, contents)
      return contents.map(({ share, files: ofShare }) => ({
        share,
        files: ofShare,
        coming: coming.get(share.uid) ?? null,
        creatorName: username,
        recipients: recipients.get(share.uid) ?? [],
        keptUntil: keptUntil(share, settings, now),
      }))
    },

    listAllShares: async ({ search, ...rest }) => {
      const { shares: all, total } = await shares.listAll({
        ...rest,
        ...(search && {
          search: { text: search, creatorIds: await auth.searchUsers({ text: search }) },
        }),
      })
      if (all.length === 0) return { shares: [], total }
      const [creatorOf, sizes, settings] = await Promise.all([
        nameCreators(auth, all),
        files.measureShares({ shareUids: all.map(({ uid }) => uid) }),
        admin.settings({}),
      ])
      const sizeOf = new Map(sizes.map(({ shareUid, sizeBytes }) => [shareUid, sizeBytes]))
      const summaries = all.map((share) => ({
        share,
        sizeBytes: sizeOf.get(share.uid) ?? 0,
        creatorName: creatorOf(share),
        keptUntil: keptUntil(share, settings, clock()),
      }))
      return { shares: summaries, total }
    },
  }
}
