import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Share } from './share.ts'
import type { ShareKey } from './share-key.ts'

/** How long the maker's address may replace the owner's cookie. */
export const CREATOR_ADDRESS_MS = 3_600_000

/**
 * Scripts without a cookie jar make a share without an account and then cannot show whose it is.
 * Until it is completed, for an hour, the address they come from does instead.
 */
export interface CreatorAddresses {
  /** The stored hash of an address; `null` without an address. */
  hash(shareUid: string, clientAddress: string): Promise<string | null>
  /** Does this caller, who brings no cookie, come from where the share was made? */
  isCreator(share: Share, caller: CookielessCaller): Promise<boolean>
}

export interface CookielessCaller {
  accessToken: string | null
  ownerToken: string | null
  clientAddress: string
}

export function createCreatorAddresses({
  key,
  clock,
}: {
  key: ShareKey
  clock: () => Date
}): CreatorAddresses {
  /** Keyed and bound to the share: rows must not reveal addresses nor link shares. */
  async function hash(shareUid: string, clientAddress: string) {
    if (clientAddress === '') return null
    return createHmac('sha256', await key())
      .update(`creator\0${shareUid}\0${clientAddress}`)
      .digest('base64url')
  }

  return {
    hash,
    isCreator: async (share, { accessToken, ownerToken, clientAddress }) => {
      const { uid, creatorId, creatorAddressHash, state, createdAt } = share
      // Never what has an owner, and never what anybody may have seen.
      if (creatorId !== null || creatorAddressHash === null || state !== 'open') return false
      // Cookies say who the caller is, and that it is somebody else.
      if (accessToken || ownerToken) return false
      if (clock().getTime() - createdAt.getTime() >= CREATOR_ADDRESS_MS) return false
      const given = Buffer.from((await hash(uid, clientAddress)) ?? '')
      const expected = Buffer.from(creatorAddressHash)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
