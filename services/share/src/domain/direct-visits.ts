import { createHmac } from 'node:crypto'
import type { RequestCredentials } from '@floe/contracts'
import type { VisitStore } from './ports.ts'
import type { Share } from './share.ts'
import type { ShareKey } from './share-key.ts'

/** Resumed and ranged requests of one client within this time are one view. */
export const VISIT_WINDOW_MS = 3_600_000

export interface DirectVisitsDeps {
  visits: VisitStore
  key: ShareKey
  clock: () => Date
}

/**
 * Counts one view for a client that downloads by the file's address, without a visit token. Returns
 * `false` when no view is left, or the share has changed since it was read.
 */
export async function countDirectVisit(
  { visits, key, clock }: DirectVisitsDeps,
  share: Share,
  credentials: RequestCredentials,
): Promise<boolean> {
  const now = clock()
  const visitorHash = hashVisitor(await key(), share, credentials)
  const visitor = { shareUid: share.uid, visitorHash, now }
  if (await visits.isUnderWay(visitor)) return true
  const expiresAt = new Date(now.getTime() + VISIT_WINDOW_MS)
  return visits.begin({ ...visitor, expiresAt })
}

/** Keyed and bound to the share: rows must not reveal addresses nor link visits of shares. */
function hashVisitor(
  key: Awaited<ReturnType<ShareKey>>,
  { uid }: Share,
  { clientAddress, userAgent }: RequestCredentials,
): string {
  return createHmac('sha256', key)
    .update(`visitor\0${uid}\0${clientAddress}\0${userAgent}`)
    .digest('base64url')
}
