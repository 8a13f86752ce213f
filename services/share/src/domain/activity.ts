import { ACTIVITY_DAYS, type Downloadable, type FilePort, type HourCount } from '@floe/contracts'
import type { ShareStore } from './ports.ts'
import type { Share } from './share.ts'
import type { SeenShare } from './share-access.ts'

export interface ShareActivityContent {
  share: Share
  viewHours: readonly HourCount[]
  downloads: Awaited<ReturnType<FilePort['countDownloads']>>
}

/** How often a share was opened and its files downloaded, without naming anybody. */
export interface Activity {
  /** `only` narrows the hours of downloads. Fails with file_not_found. */
  readActivity(seen: SeenShare, only: Downloadable | null): Promise<ShareActivityContent>
}

export interface ActivityDeps {
  shares: ShareStore
  files: Pick<FilePort, 'countDownloads'>
  clock: () => Date
}

export function createActivity({ shares, files, clock }: ActivityDeps): Activity {
  return {
    readActivity: async ({ share, grant }, only) => {
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
