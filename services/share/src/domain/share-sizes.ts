import type { AdminPort, AuthPort, Identity } from '@floe/contracts'
import { rememberLimits } from '@floe/limits'
import type { ReverseShare } from './reverse-share.ts'
import type { Share } from './share.ts'

/** How large shares may be; 0 is no limit. A change counts within seconds. */
export interface ShareSizes {
  /** Of whom it is charged to, of the reverse share it is sent through, and of the caller's token. */
  ofShare(
    share: Pick<Share, 'maxSizeBytes' | 'receiverId' | 'creatorId'>,
    caller?: Pick<Identity, 'tokenCaps'> | null,
  ): Promise<number>
  /** Of what is sent through it. */
  ofReverseShare(reverseShare: ReverseShare): Promise<number>
  /** What somebody may ask for in a reverse share. */
  ofOwner(owner: Pick<Identity, 'userId' | 'tokenCaps'>): Promise<number>
}

export interface ShareSizesDeps {
  auth: Pick<AuthPort, 'storageLimit'>
  admin: AdminPort
  clock: () => Date
}

export function createShareSizes({ auth, admin, clock }: ShareSizesDeps): ShareSizes {
  const limitsOf = rememberLimits({ ask: auth.storageLimit, clock })

  /** The account's own limit, or that of all; `null` is nobody's account. */
  async function ofAccount(userId: string | null) {
    const { 'share.maxSize': ofAll } = await admin.settings({})
    if (userId === null) return ofAll
    return (await limitsOf(userId)).maxShareBytes ?? ofAll
  }

  return {
    ofOwner: async ({ userId, tokenCaps }) =>
      smallerLimit(await ofAccount(userId), tokenCaps?.maxShareBytes ?? 0),
    ofShare: async ({ maxSizeBytes, receiverId, creatorId }, caller) => {
      const ofShare = smallerLimit(await ofAccount(receiverId ?? creatorId), maxSizeBytes ?? 0)
      return smallerLimit(ofShare, caller?.tokenCaps?.maxShareBytes ?? 0)
    },
    ofReverseShare: async ({ maxSizeBytes, creatorId }) =>
      smallerLimit(await ofAccount(creatorId), maxSizeBytes),
  }
}

/** Of two limits, 0 is none. */
export function smallerLimit(one: number, other: number): number {
  return one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other)
}
