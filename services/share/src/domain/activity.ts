import { ACTIVITY_DAYS, type Downloadable, type FilePort, type HourCount } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { CallerCredentials, Ownership } from './ownership.ts'
import type { ShareStore } from './ports.ts'
import { grantRead, grantWorkingRead } from './read-grant.ts'
import { requirePublished, type Share } from './share.ts'

export interface ShareActivityContent {
  share: Share
  viewHours: readonly HourCount[]
  downloads: Awaited<ReturnType<FilePort['countDownloads']>>
}

/** What became of a share: how often it was opened, and what was downloaded. Not by whom. */
export interface Activity {
  /**
   * For whoever may read the share as its owner does: of the files being worked on; for whoever
   * received it, of the published ones. `only` narrows the hours of downloads.
   * Fails with share_not_found, forbidden, file_not_found.
   */
  readActivity(
    id: string,
    request: { caller: CallerCredentials; only: Downloadable | null },
  ): Promise<ShareActivityContent>
}

export interface ActivityDeps {
  shares: ShareStore
  files: Pick<FilePort, 'countDownloads'>
  ownership: Ownership
  clock: () => Date
}

export function createActivity({ shares, files, ownership, clock }: ActivityDeps): Activity {
  async function grantCounts(share: Share, caller: CallerCredentials) {
    const { isOwner, isReceiver, isAdmin } = await ownership.judge(share, caller)
    if (isOwner || isAdmin) return grantWorkingRead(share)
    if (!isReceiver) throw new AppError('forbidden')
    return grantRead(requirePublished(share, clock()))
  }

  return {
    readActivity: async (id, { caller, only }) => {
      const share = await shares.findById(id)
      if (share === null) throw new AppError('share_not_found')
      const grant = await grantCounts(share, caller)
      const since = new Date(clock().getTime() - ACTIVITY_DAYS * 86_400_000)
      const [views, downloads] = await Promise.all([
        shares.viewHours(share.uid, since),
        files.countDownloads({ grant, only, since: since.toISOString() }),
      ])
      return {
        share,
        viewHours: views.map(({ hour, count }) => ({ hour: hour.toISOString(), count })),
        downloads,
      }
    },
  }
}
