import type { SharePort } from '@floe/contracts'
import type { ShareStore } from './ports.ts'

/** Which shares there are: what the port tells without judging any request. */
export type ShareRegister = Pick<SharePort, 'existing' | 'publishedEditions' | 'publishedShares'>

export function createShareRegister({
  shares,
}: {
  shares: Pick<ShareStore, 'existing' | 'publishedEditions' | 'publishedShares'>
}): ShareRegister {
  return {
    existing: ({ shareUids }) => shares.existing(shareUids),
    publishedEditions: ({ shareUids }) => shares.publishedEditions(shareUids),
    publishedShares: (page) => shares.publishedShares(page),
  }
}
