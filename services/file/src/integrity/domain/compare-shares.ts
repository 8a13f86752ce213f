import type { SharePort } from '@floe/contracts'
import type { FileStore, ShareEdition } from '../../files/domain/file-ports.ts'
import {
  LONGEST_TRANSFER_MS,
  type ShareRemovalStore,
} from '../../removals/domain/share-removals.ts'
import type { Look, ShareDifference } from './differences.ts'
import { pagesOf } from './pages.ts'

export interface ShareComparison {
  /** From the shares to their files, and back. */
  compare(look: Look): Promise<ShareDifference[]>
  /** What is left of a difference found before. */
  lookAgain(difference: ShareDifference): Promise<ShareDifference[]>
}

export interface ShareComparisonOptions {
  files: Pick<FileStore, 'shareUids' | 'objectKeysOf' | 'withoutFiles'>
  removals: Pick<ShareRemovalStore, 'underWay'>
  clock: () => Date
  shares: Pick<SharePort, 'existing' | 'publishedEditions' | 'publishedShares'>
}

/** A removal waits for transfers, and then for its job: longer than this it is no longer under way. */
const LONGEST_REMOVAL_MS = LONGEST_TRANSFER_MS + 2 * 3_600_000

export function createShareComparison({
  files,
  removals,
  clock,
  shares,
}: ShareComparisonOptions): ShareComparison {
  async function findGone(shareUids: string[]): Promise<ShareDifference[]> {
    const existing = new Set(await shares.existing({ shareUids }))
    const gone = shareUids.filter((uid) => !existing.has(uid))
    const since = new Date(clock().getTime() - LONGEST_REMOVAL_MS)
    const underWay = new Set(await removals.underWay(gone, since))
    const found: ShareDifference[] = []
    for (const shareUid of gone.filter((uid) => !underWay.has(uid))) {
      const { length: objectCount } = await files.objectKeysOf(shareUid)
      if (objectCount > 0) found.push({ kind: 'share_gone', shareUid, objectCount })
    }
    return found
  }

  async function findFileless(
    published: readonly (ShareEdition & { shareId: string })[],
  ): Promise<ShareDifference[]> {
    const fileless = new Set(await files.withoutFiles(published))
    return published
      .filter(({ shareUid }) => fileless.has(shareUid))
      .map(({ shareUid, shareId }) => ({ kind: 'files_gone', shareUid, shareId }))
  }

  return {
    compare: async ({ signal }) => {
      const differences: ShareDifference[] = []
      for await (const uids of pagesOf(files.shareUids, (shareUid) => shareUid)) {
        signal.throwIfAborted()
        differences.push(...(await findGone(uids)))
      }
      for await (const page of pagesOf(shares.publishedShares, ({ shareUid }) => shareUid)) {
        signal.throwIfAborted()
        differences.push(...(await findFileless(page)))
      }
      return differences
    },

    lookAgain: async (difference) => {
      const { shareUid } = difference
      if (difference.kind === 'share_gone') return findGone([shareUid])
      const published = await shares.publishedEditions({ shareUids: [shareUid] })
      return findFileless(published.map((share) => ({ ...share, shareId: difference.shareId })))
    },
  }
}
