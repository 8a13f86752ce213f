import type { AdminPort, ListOwnData, SharePort } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { DirectShares } from './direct-shares.ts'
import type { Ownership } from './ownership.ts'
import type { ShareStore } from './ports.ts'
import type { Previews } from './previews.ts'
import {
  isExpired,
  mayReceive,
  requireEncrypted,
  requireLive,
  requireNotRemoved,
  type Share,
  workingEdition,
} from './share.ts'
import { createShareRegister } from './share-register.ts'
import type { ShareSizes } from './share-sizes.ts'
import { grantUpload } from './upload-grant.ts'
import type { Visits } from './visits.ts'

export interface SharePortDeps {
  shares: ShareStore
  visits: Visits
  previews: Previews
  ownership: Ownership
  admin: AdminPort
  sizes: ShareSizes
  clock: () => Date
  log: { debug(fields: object, text: string): void }
  direct: DirectShares
  listOwnData: ListOwnData
}

// Precise enough for a deadline of a day, and no write for every chunk.
const activityResolutionMs = 60_000

/** Queries of other services; `sharePort` states the guarantees. */
export function createSharePort(deps: SharePortDeps): SharePort {
  const { shares, visits, previews, ownership, admin, sizes, clock, log, direct } = deps

  async function keepAlive({ uid, lastActivityAt }: Share) {
    const now = clock()
    if (now.getTime() - lastActivityAt.getTime() < activityResolutionMs) return
    await shares.recordActivity(uid, now)
  }

  return {
    listOwnData: deps.listOwnData,

    authorizeRead: (request) => visits.authorizeRead(request),

    previewShare: ({ shareId }) => previews.previewShare(shareId),

    readShare: ({ shareId, ...reader }) => previews.readFirstFiles(shareId, reader),

    authorizeUpload: async ({ shareId, credentials }) => {
      const share = requireLive(await shares.findById(shareId), clock())
      const { identity } = await ownership.requireMaker(share, credentials)
      requireNotRemoved(share)
      if (share.state === 'completed') throw new AppError('share_locked')
      requireEncrypted(share, await admin.settings({}))
      await keepAlive(share)
      log.debug({ shareUid: share.uid, shareId }, 'upload granted')
      return grantUpload(share, { sizes, identity })
    },

    uploadTarget: async ({ shareUid }) => {
      const share = await shares.findByUid(shareUid)
      if (share === null || isExpired(share, clock())) {
        return { state: 'gone', maxSizeBytes: 0, edition: 0, isPublished: false }
      }
      const isLocked = share.state === 'completed' || !mayReceive(share, await admin.settings({}))
      // A long upload may come back by its URL alone: it too keeps the share from being abandoned.
      if (!isLocked) await keepAlive(share)
      return {
        state: isLocked ? 'locked' : 'open',
        maxSizeBytes: await sizes.ofShare(share),
        edition: workingEdition(share),
        isPublished: share.state === 'uploading',
      }
    },

    countShares: async () => ({ count: await shares.countLive(clock()) }),

    ...direct,
    ...createShareRegister({ shares }),
  }
}
