import type { CreateShareInput, Identity } from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import type { AccessOf, Entrances } from './entrances.ts'
import type { ReverseShareStore } from './ports.ts'
import type { ReverseShare } from './reverse-share.ts'
import type { Share } from './share.ts'

/** The token of the reverse share that a request names itself. */
export type NamedToken = CreateShareInput['reverseShare']

/** Credentials of a request that may send through a reverse share. */
export interface SenderCredentials {
  /** Cookie `reverse_share_token`. */
  reverseShareToken: string | null
  reverseShareAccess: AccessOf
  clientAddress: string
}

/**
 * The reverse share to send through. A cookie may be left over from one that is gone: with
 * `isOptional` it is then ignored. What the request names itself must exist. Fails with
 * reverse_share_not_found, reverse_shares_disabled, reverse_share_password_required,
 * too_many_requests.
 */
export async function findReverseShare(
  entrances: Entrances,
  named: NamedToken,
  sender: SenderCredentials & { isOptional: boolean },
): Promise<ReverseShare | null> {
  const token = named === undefined ? sender.reverseShareToken : named
  if (!token) return null
  const isOptional = named === undefined && sender.isOptional
  const found = await entrances.find(token, sender.clientAddress).catch((error: unknown) => {
    if (isOptional && isUseless(error)) return null
    throw error
  })
  if (found !== null && !(await entrances.isUnlocked(found, sender.reverseShareAccess))) {
    throw new AppError('reverse_share_password_required')
  }
  return found
}

function isUseless(error: unknown): boolean {
  return (
    isAppError(error, 'reverse_share_not_found') || isAppError(error, 'reverse_shares_disabled')
  )
}

type Sender = { identity: Identity | null } & Pick<CreateShareInput, 'senderName' | 'sealedKey'>

/** The members of a share that its reverse share decides. */
export function boundTo(
  reverseShare: ReverseShare | null,
  sender: Sender & { isClosed: boolean },
): Pick<
  Share,
  | 'reverseShareId'
  | 'receiverId'
  | 'receiverLanguage'
  | 'isPrivate'
  | 'maxSizeBytes'
  | 'senderName'
  | 'sealedKey'
> {
  if (reverseShare === null) {
    return {
      reverseShareId: null,
      receiverId: null,
      receiverLanguage: null,
      isPrivate: false,
      maxSizeBytes: null,
      senderName: null,
      sealedKey: null,
    }
  }
  return {
    reverseShareId: reverseShare.id,
    receiverId: reverseShare.creatorId,
    receiverLanguage: reverseShare.language,
    isPrivate: !reverseShare.isPublic || sender.isClosed,
    maxSizeBytes: reverseShare.maxSizeBytes,
    senderName: readSenderName(reverseShare, sender),
    sealedKey: reverseShare.receiver === null ? null : (sender.sealedKey ?? null),
  }
}

/** Signed-in senders have a name already; others may still give it when they complete the share. */
function readSenderName(
  { asksSenderName }: ReverseShare,
  { identity, senderName }: Sender,
): string | null {
  if (!asksSenderName || identity !== null) return null
  return senderName?.trim() || null
}

/**
 * The name that the first completion of a share decides: by then its reverse share has it, where it
 * asks for it. Fails with validation_failed.
 */
export async function readFinalSenderName(
  reverseShares: Pick<ReverseShareStore, 'findById'>,
  share: Share,
  given: string | undefined,
): Promise<string | null> {
  const { creatorId, reverseShareId, senderName: known } = share
  if (creatorId !== null || reverseShareId === null) return known
  const reverseShare = await reverseShares.findById(reverseShareId)
  if (!reverseShare?.asksSenderName) return known
  const senderName = given?.trim() || known
  if (senderName === null) {
    throw new AppError('validation_failed', { issues: ['senderName: This field is required'] })
  }
  return senderName
}
