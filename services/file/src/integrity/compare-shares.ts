import type { SharePort } from '@floe/contracts'
import type { FileStore, ShareEdition } from '../domain/ports.ts'
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
  shares: Pick<SharePort, 'existing' | 'publishedEditions' | 'publishedShares'>
}

export function createShareComparison({ files, shares }: ShareComparisonOptions): ShareComparison {
  async function findGone(shareUids: string[]): Promise<ShareDifference[]> {
    const existing = new Set(await shares.existing({ shareUids }))
    const found: ShareDifference[] = []
    for (const shareUid of shareUids.filter((uid) => !existing.has(uid))) {
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
