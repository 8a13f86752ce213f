import type { AdminPort, AuthPort } from '@floe/contracts'
import { rememberLimits } from '@floe/limits'
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

export function createShareSizes({ auth, admin, clock }: ShareSizesDeps): ShareSizes {
  const limitsOf = rememberLimits({ ask: auth.storageLimit, clock })

  async function ofAccount(userId: string | null) {
    const { 'share.maxSize': ofAll } = await admin.settings({})
    if (userId === null) return ofAll
    return (await limitsOf(userId)).maxShareBytes ?? ofAll
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
