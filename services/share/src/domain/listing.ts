import type { ArchiveStatus, AuthPort, FilePort } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { CallerCredentials, Ownership } from './ownership.ts'
import type { ShareStore } from './ports.ts'
import { grantRead, grantWorkingRead } from './read-grant.ts'
import type { Share } from './share.ts'
import type { Visits } from './visits.ts'

export interface ListedFile {
  id: string
  name: string
  sizeBytes: number
}

/** A share with what belongs to it in other services. */
export interface ShareContent {
  share: Share
  files: readonly ListedFile[]
  /** `null` for a share made without signing in. */
  creatorName: string | null
}
export interface OwnShareContent extends ShareContent {
  recipients: readonly string[]
}
export interface ShareSummary {
  share: Share
  sizeBytes: number
  creatorName: string | null
}

export interface Listing {
  /** As it is published, for the holder of the visit token; fails like `Visits.requireVisit`. */
  readShare(id: string, shareToken: string | null): Promise<ShareContent>
  /** Is Download all ready? Fails like `readShare`. */
  archiveStatus(id: string, shareToken: string | null): Promise<ArchiveStatus>
  /** As it is being worked on. Fails with share_not_found, forbidden. */
  readShareAsOwner(id: string, caller: CallerCredentials): Promise<OwnShareContent>
  /** What the owner sees of a share that the caller was already allowed to change. */
  describeOwnShare(share: Share): Promise<OwnShareContent>
  /** Fails with forbidden. */
  listOwnShares(accessToken: string | null): Promise<OwnShareContent[]>
  /** Fails with forbidden. */
  listAllShares(accessToken: string | null): Promise<ShareSummary[]>
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

  async function nameCreators(listed: readonly Share[]) {
    const ids = new Set(listed.flatMap(({ creatorId }) => creatorId ?? []))
    const users = ids.size === 0 ? [] : await auth.findUsers({ ids: [...ids] })
    const names = new Map(users.map(({ id, username }) => [id, username]))
    return (share: Share) => names.get(share.creatorId ?? '') ?? null
  }

  async function describeOwnShare(share: Share): Promise<OwnShareContent> {
    const [creatorOf, listed, recipients] = await Promise.all([
      nameCreators([share]),
      files.listFiles({ grant: grantWorkingRead(share) }),
      shares.listRecipients([share.uid]),
    ])
    return {
      share,
      files: listed,
      creatorName: creatorOf(share),
      recipients: recipients.get(share.uid) ?? [],
    }
  }

  return {
    describeOwnShare,

    readShare: async (id, shareToken) => {
      const share = await visits.requireVisit(id, shareToken)
      const [creatorOf, listed] = await Promise.all([
        nameCreators([share]),
        files.listFiles({ grant: grantRead(share) }),
      ])
      return { share, files: listed, creatorName: creatorOf(share) }
    },

    archiveStatus: async (id, shareToken) => {
      const share = await visits.requireVisit(id, shareToken)
      return files.archiveStatus({ grant: grantRead(share) })
    },

    readShareAsOwner: async (id, caller) => {
      const share = await shares.findById(id)
      if (share === null) throw new AppError('share_not_found')
      await ownership.requireOwnerOrAdmin(share, caller)
      return describeOwnShare(share)
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

    listAllShares: async (accessToken) => {
      await ownership.requireAdmin(accessToken)
      const all = await shares.listAll()
      if (all.length === 0) return []
      const [creatorOf, sizes] = await Promise.all([
        nameCreators(all),
        files.measureShares({ shareUids: all.map(({ uid }) => uid) }),
      ])
      const sizeOf = new Map(sizes.map(({ shareUid, sizeBytes }) => [shareUid, sizeBytes]))
      return all.map((share) => ({
        share,
        sizeBytes: sizeOf.get(share.uid) ?? 0,
        creatorName: creatorOf(share),
      }))
    },
  }
}
