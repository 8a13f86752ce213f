import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SharePort } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { ShareStore } from './ports.ts'
import type { Share } from './share.ts'
import type { ShareKey } from './share-key.ts'

/** 144 bits, which are whole characters of base64url. */
const SECRET_BYTES = 18

export interface DeleteLinks extends Pick<SharePort, 'deleteByLink'> {
  /** What the address to delete this share ends with. */
  secretOf(share: Pick<Share, 'uid'>): Promise<string>
}

/**
 * Addresses that delete one share. Their secrets are computed from the key of this installation, so
 * that none is stored and each ends with its share.
 */
export function createDeleteLinks({
  shares,
  key,
}: {
  shares: Pick<ShareStore, 'findById' | 'remove'>
  key: ShareKey
}): DeleteLinks {
  const secretOf = async ({ uid }: Pick<Share, 'uid'>) => {
    const digest = createHmac('sha256', await key())
      .update(`deletion\0${uid}`)
      .digest()
    return digest.subarray(0, SECRET_BYTES).toString('base64url')
  }

  return {
    secretOf,
    deleteByLink: async ({ shareId, secret }) => {
      const share = await shares.findById(shareId)
      const isRight = share !== null && isSame(await secretOf(share), secret)
      // One refusal for both, so that a guess tells nothing of what exists.
      if (!isRight || !(await shares.remove(share.uid, []))) throw new AppError('share_not_found')
      return {}
    },
  }
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
