import type { AdminPort, AuthPort, FilePort } from '@floe/contracts'
import { nameCreators } from './creators.ts'
import type { ReverseShareStore } from './ports.ts'
import { keptAt, keptUntil } from './retention.ts'
import type { ReverseShare } from './reverse-share.ts'
import type { Share } from './share.ts'

export interface ReceivedContent {
  share: Share
  sizeBytes: number
  fileCount: number
  /** `null` for a sender without an account. */
  creatorName: string | null
  keptUntil: Date | null
}

/** A reverse share with what was sent through it. */
export interface ReverseShareContent {
  reverseShare: ReverseShare
  received: readonly ReceivedContent[]
}

export interface ReceivedSharesDeps {
  reverseShares: ReverseShareStore
  files: FilePort
  auth: AuthPort
  admin: AdminPort
  clock: () => Date
}

/** Finds for each reverse share what was sent through it, how much that is, and who sent it. */
export async function readReceived(
  { reverseShares, files, auth, admin, clock }: ReceivedSharesDeps,
  own: readonly ReverseShare[],
): Promise<ReverseShareContent[]> {
  if (own.length === 0) return []
  const [settings, now] = [await admin.settings({}), clock()]
  const ids = own.map(({ id }) => id)
  const shares = await reverseShares.listShares(ids, keptAt(settings, now))
  const [creatorOf, sizes] = await Promise.all([
    nameCreators(auth, shares),
    shares.length === 0 ? [] : files.measureShares({ shareUids: shares.map(({ uid }) => uid) }),
  ])
  const sizeOf = new Map(sizes.map((size) => [size.shareUid, size]))
  const received = shares.map((share) => {
    const { sizeBytes = 0, fileCount = 0 } = sizeOf.get(share.uid) ?? {}
    const until = keptUntil(share, settings, now)
    return { share, sizeBytes, fileCount, creatorName: creatorOf(share), keptUntil: until }
  })
  return own.map((reverseShare) => ({
    reverseShare,
    received: received.filter(({ share }) => share.reverseShareId === reverseShare.id),
  }))
}
