import type { AdminPort, AuthPort } from '@floe/contracts'
import type { ReverseShare } from './reverse-share.ts'
import type { Share } from './share.ts'

/** How large shares may be; 0 is no limit. A change counts within seconds. */
export interface ShareSizes {
  /** Of whom it is charged to, and of the reverse share it is sent through. */
  ofShare(share: Pick<Share, 'maxSizeBytes' | 'receiverId' | 'creatorId'>): Promise<number>
  /** Of what is sent through it. */
  ofReverseShare(reverseShare: ReverseShare): Promise<number>
  /** The account's own limit, or that of all; `null` is nobody's account. */
  ofAccount(userId: string | null): Promise<number>
}

export interface ShareSizesDeps {
  auth: Pick<AuthPort, 'storageLimit'>
  admin: AdminPort
  clock: () => Date
}

/** Ten thousand small files must not ask ten thousand times. */
const KNOWN_FOR_MS = 1_000
const MOST_KNOWN = 10_000

export function createShareSizes({ auth, admin, clock }: ShareSizesDeps): ShareSizes {
  const known = new Map<string, { maxBytes: Promise<number | null>; askedAt: number }>()

  function ownLimitOf(userId: string): Promise<number | null> {
    const now = clock().getTime()
    const last = known.get(userId)
    if (last && now - last.askedAt < KNOWN_FOR_MS && now >= last.askedAt) return last.maxBytes
    if (known.size >= MOST_KNOWN) known.clear()
    const maxBytes = auth.storageLimit({ userId }).then((limit) => limit.maxShareBytes)
    known.set(userId, { maxBytes, askedAt: now })
    maxBytes.catch(() => known.delete(userId))
    return maxBytes
  }

  async function ofAccount(userId: string | null) {
    const { 'share.maxSize': ofAll } = await admin.settings({})
    return userId === null ? ofAll : ((await ownLimitOf(userId)) ?? ofAll)
  }

  return {
    ofAccount,
    ofShare: async ({ maxSizeBytes, receiverId, creatorId }) =>
      smaller(await ofAccount(receiverId ?? creatorId), maxSizeBytes ?? 0),
    ofReverseShare: async ({ maxSizeBytes, creatorId }) =>
      smaller(await ofAccount(creatorId), maxSizeBytes),
  }
}

/** Of two limits, 0 is none. */
function smaller(one: number, other: number): number {
  return one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other)
}
