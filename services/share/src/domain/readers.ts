import type { RequestCredentials } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Ownership, Standing } from './ownership.ts'
import type { Share } from './share.ts'

/** A visitor without an account and without any right of their own. */
const anonymous: Standing = {
  isMaker: false,
  isOwner: false,
  isReceiver: false,
  isAdmin: false,
  identity: null,
}

/** How a reader stands to a share. Only credentials that could matter are looked up. */
export async function judgeReader(
  ownership: Ownership,
  share: Share,
  credentials: RequestCredentials,
): Promise<Standing> {
  const { accessToken, ownerToken } = credentials
  const { creatorId, receiverId, restrictsToRecipients } = share
  const isAccountAsked = creatorId !== null || receiverId !== null || restrictsToRecipients
  const bringsAny = isAccountAsked ? accessToken || ownerToken : ownerToken
  return bringsAny ? ownership.judge(share, credentials) : anonymous
}

/**
 * The owner of a share and its receiver need no visit: no password, and no view is counted.
 * Fails with private_share for everybody else where it is private.
 */
export function readsWithoutVisit(
  { isPrivate }: Share,
  { isOwner, isReceiver }: Standing,
): boolean {
  if (isOwner || isReceiver) return true
  if (isPrivate) throw new AppError('private_share')
  return false
}
