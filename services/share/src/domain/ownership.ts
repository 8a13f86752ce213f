import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type AuthPort, type Identity, ownerTokenCookie } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { CreatorAddresses } from './creator-addresses.ts'
import type { Share } from './share.ts'

/** Cookies of a request that may prove who calls. */
export interface CallerCredentials {
  accessToken: string | null
  ownerToken: string | null
}

/** The same, with the client for the audit log. */
export interface Caller extends CallerCredentials {
  clientAddress: string
  userAgent: string
}

/** How the caller stands to one share. */
export interface Standing {
  /** Made it: the same account, or the same browser. */
  isMaker: boolean
  /** Made it and may change it. */
  isOwner: boolean
  /** Was sent it through a reverse share. */
  isReceiver: boolean
  isAdmin: boolean
  /** `null` without a session. */
  identity: Identity | null
}

export interface Ownership {
  identify(accessToken: string | null): Promise<Identity | null>
  /** Fails with forbidden. */
  requireUser(accessToken: string | null): Promise<Identity>
  /** Fails with forbidden. */
  requireAdmin(accessToken: string | null): Promise<Identity>
  judge(share: Share, credentials: CallerCredentials): Promise<Standing>
  /**
   * Also lets in, without the cookie, the client that is making a share without an account.
   * Fails with forbidden.
   */
  requireMaker(share: Share, caller: Caller): Promise<Standing>
  /** Fails with forbidden. */
  requireOwner(share: Share, credentials: CallerCredentials): Promise<void>
}

export function createOwnership({
  auth,
  creatorAddresses,
}: {
  auth: AuthPort
  creatorAddresses: CreatorAddresses
}): Ownership {
  async function identify(accessToken: string | null) {
    return accessToken ? auth.identify({ accessToken }) : null
  }

  async function requireUser(accessToken: string | null) {
    const identity = await identify(accessToken)
    if (identity === null) throw new AppError('forbidden')
    return identity
  }

  async function judge(share: Share, { accessToken, ownerToken }: CallerCredentials) {
    const identity = await identify(accessToken)
    const isMaker = madeBy(share, identity, ownerToken)
    return {
      isMaker,
      isOwner: isMaker && !isHandedOver(share),
      isReceiver: isDelivered(share) && share.receiverId === identity?.userId,
      isAdmin: identity?.isAdmin === true,
      identity,
    }
  }

  return {
    identify,
    requireUser,
    judge,
    requireAdmin: async (accessToken) => {
      const identity = await requireUser(accessToken)
      if (!identity.isAdmin) throw new AppError('forbidden')
      return identity
    },
    requireMaker: async (share, caller) => {
      const standing = await judge(share, caller)
      if (standing.isMaker || (await creatorAddresses.isCreator(share, caller))) return standing
      throw notTheMaker(share, caller)
    },
    requireOwner: async (share, credentials) => {
      const standing = await judge(share, credentials)
      if (!standing.isOwner) throw new AppError('forbidden')
    },
  }
}

/** Scripts learn from it what to keep. */
function notTheMaker({ id, creatorId }: Share, { ownerToken }: Caller): AppError {
  if (creatorId !== null || ownerToken) return new AppError('forbidden')
  const cookie = ownerTokenCookie(id)
  return new AppError('forbidden', {
    message: `The cookie ${cookie} is missing, which came when the share was created`,
  })
}

/** A share without creator belongs to the browser that made it, and to nobody else. */
function madeBy(share: Share, identity: Identity | null, ownerToken: string | null): boolean {
  if (share.creatorId !== null) return share.creatorId === identity?.userId
  if (share.ownerTokenHash === null || !ownerToken) return false
  const expected = Buffer.from(share.ownerTokenHash)
  const given = Buffer.from(hashOwnerToken(ownerToken))
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function isDelivered({ receiverId, state }: Share): boolean {
  return receiverId !== null && state !== 'open'
}

/**
 * What a browser without an account has sent is its receiver's: a cookie that stayed on some
 * machine must not change it afterwards.
 */
function isHandedOver(share: Share): boolean {
  return share.creatorId === null && isDelivered(share)
}

export function createOwnerToken(): string {
  return randomBytes(32).toString('base64url')
}

// 256 random bits need no slow hash.
export function hashOwnerToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
