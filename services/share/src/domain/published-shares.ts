import type { AdminPort } from '@floe/contracts'
import type { ShareStore } from './ports.ts'
import { requirePublished, type Share } from './share.ts'

/** Shares as visitors find them. */
export interface PublishedShares {
  /** With its archive level set. Fails with share_not_found, share_removed. */
  find(id: string): Promise<Share>
}

export interface PublishedSharesDeps {
  shares: ShareStore
  admin: AdminPort
  clock: () => Date
}

export function createPublishedShares(deps: PublishedSharesDeps): PublishedShares {
  const { shares, admin, clock } = deps

  return {
    find: async (id) => {
      const share = requirePublished(await shares.findById(id), clock())
      if (share.archiveLevel !== null) return share
      // Published before levels were stored: the first visit gives every such share today's level.
      const { 'share.zipCompressionLevel': level } = await admin.settings({})
      await shares.settleArchiveLevels(level)
      return requirePublished(await shares.findById(id), clock())
    },
  }
}
