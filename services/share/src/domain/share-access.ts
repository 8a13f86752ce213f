import type { ReadGrant, RequestCredentials } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Caller, CallerCredentials, Ownership, Standing } from './ownership.ts'
import type { ShareStore } from './ports.ts'
import { grantRead, grantWorkingRead } from './read-grant.ts'
import { requireLive, requireNotRemoved, requirePublished, type Share } from './share.ts'
import type { Visits } from './visits.ts'

/** A share that the caller may complete, change or delete, and by what right. */
export interface HeldShare {
  share: Share
  standing: Standing
  caller: Caller
}

/** A share as the caller may see it. */
export interface SeenShare {
  share: Share
  standing: Standing
  /** Covers the files being worked on; for the receiver, the published ones. */
  grant: ReadGrant
}

/**
 * Who may do what with a share, which is decided before anything else of a request is looked at.
 * Everything fails with share_not_found, forbidden.
 */
export interface ShareAccess {
  /** Allows to complete it. Fails with share_removed too. */
  asMaker(id: string, caller: Caller): Promise<HeldShare>
  /** Allows to edit its files. Fails with share_removed too. */
  asOwner(id: string, caller: CallerCredentials): Promise<Share>
  /** Allows its owner and administrators to change it. */
  toChange(id: string, caller: Caller): Promise<HeldShare>
  /**
   * Allows its owner, its receiver and administrators to delete it. Fails with
   * share_anonymous_delete too.
   */
  toDelete(id: string, caller: Caller): Promise<HeldShare>
  /** Allows its owner, its receiver and administrators to read it as its owner does. */
  toOversee(id: string, caller: CallerCredentials): Promise<SeenShare>
  /** Allows visitors to read what is published. Fails like `Visits.requireVisit`. */
  asVisitor(id: string, credentials: RequestCredentials): Promise<Share>
}

export interface ShareAccessDeps {
  shares: ShareStore
  ownership: Ownership
  visits: Visits
  clock: () => Date
}

export function createShareAccess(deps: ShareAccessDeps): ShareAccess {
  const { shares, ownership, visits, clock } = deps

  async function find(id: string): Promise<Share> {
    const share = await shares.findById(id)
    if (share === null) throw new AppError('share_not_found')
    return share
  }

  return {
    asMaker: async (id, caller) => {
      const share = requireLive(await shares.findById(id), clock())
      const standing = await ownership.requireMaker(share, caller)
      requireNotRemoved(share)
      return { share, standing, caller }
    },

    asOwner: async (id, caller) => {
      const share = requireLive(await shares.findById(id), clock())
      await ownership.requireOwner(share, caller)
      requireNotRemoved(share)
      return share
    },

    toChange: async (id, caller) => {
      const share = await find(id)
      const standing = await ownership.judge(share, caller)
      if (!standing.isOwner && !standing.isAdmin) throw new AppError('forbidden')
      return { share, standing, caller }
    },

    toDelete: async (id, caller) => {
      const share = await find(id)
      const standing = await ownership.judge(share, caller)
      const { isOwner, isReceiver, isAdmin } = standing
      const mayDelete = isAdmin || isReceiver
      if (!mayDelete && share.creatorId === null && !(isOwner && share.state === 'open')) {
        throw new AppError('share_anonymous_delete')
      }
      if (!mayDelete && !isOwner) throw new AppError('forbidden')
      return { share, standing, caller }
    },

    toOversee: async (id, caller) => {
      const share = await find(id)
      const standing = await ownership.judge(share, caller)
      const { isOwner, isReceiver, isAdmin } = standing
      if (isOwner || isAdmin) return { share, standing, grant: grantWorkingRead(share) }
      if (!isReceiver) throw new AppError('forbidden')
      return { share, standing, grant: grantRead(requirePublished(share, clock())) }
    },

    asVisitor: (id, credentials) => visits.requireVisit(id, credentials),
  }
}
