import { randomUUID } from 'node:crypto'
import {
  type AdminPort,
  type CreateShareInput,
  type Identity,
  type Language,
  shareIdSchema,
} from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import type { Passwords } from '@floe/passwords'
import type { AccessOf, Entrances } from './entrances.ts'
import { resolveExpiration } from './expiration.ts'
import { createOwnerToken, hashOwnerToken, type Ownership } from './ownership.ts'
import type { ShareStore } from './ports.ts'
import type { ReverseShare } from './reverse-share.ts'
import { isReservedShareId, type Share } from './share.ts'
import { distinctAddresses } from './share-mail.ts'

/** What a request brings that may allow it to make a share. */
export interface MakerCredentials {
  accessToken: string | null
  /** Cookie `reverse_share_token`. */
  reverseShareToken: string | null
  reverseShareAccess: AccessOf
  clientAddress: string
  /** That whoever asks reads. */
  language: Language
}

export interface NewShares {
  /**
   * `ownerToken` is set for a share made without signing in.
   * Fails with forbidden, validation_failed, share_expiration_too_long, share_id_taken,
   * reverse_share_not_found, reverse_share_password_required, reverse_share_busy, too_many_requests.
   */
  createShare(
    input: CreateShareInput,
    maker: MakerCredentials,
  ): Promise<{ share: Share; ownerToken: string | null }>
  /** Could a share be made under this id right now? */
  isShareIdAvailable(id: string): Promise<boolean>
}

export interface NewSharesDeps {
  shares: ShareStore
  entrances: Entrances
  admin: AdminPort
  ownership: Ownership
  passwords: Passwords
  clock: () => Date
}

export function createNewShares(deps: NewSharesDeps): NewShares {
  const { shares, entrances, admin, ownership, passwords, clock } = deps

  async function createShare(
    input: CreateShareInput,
    maker: MakerCredentials,
  ): Promise<{ share: Share; ownerToken: string | null }> {
    const identity = await ownership.identify(maker.accessToken)
    const settings = await admin.settings({})
    const mayCreate = identity !== null || settings['share.allowUnauthenticatedShares']
    const reverseShare = await findReverseShare(input, maker, mayCreate)
    if (reverseShare === null && !mayCreate) throw new AppError('forbidden')
    const now = clock()
    const maxHours = settings['share.maxExpiration']
    const expiresAt =
      reverseShare?.expiresAt ?? resolveExpiration(input.expiration, { now, maxHours })
    if (isReservedShareId(input.id)) throw new AppError('share_id_taken')

    const { password, maxViews } = input.security ?? {}
    const ownerToken = identity === null ? createOwnerToken() : null
    const share: Share = {
      uid: randomUUID(),
      id: input.id,
      createdAt: now,
      name: input.name ?? null,
      description: input.description ?? null,
      expiresAt,
      passwordHash: password === undefined ? null : await passwords.hash(password),
      maxViews: maxViews || null,
      views: 0,
      creatorId: identity?.userId ?? null,
      ownerTokenHash: ownerToken === null ? null : hashOwnerToken(ownerToken),
      state: 'open',
      edition: 0,
      completedAt: null,
      lastActivityAt: now,
      removedReason: null,
      // Only an account has an address to write to.
      notifyOnDownload: identity !== null && input.notifyOnDownload === true,
      language: maker.language,
      ...boundTo(reverseShare, { identity, senderName: input.senderName }),
    }
    const outcome = await shares.insert({
      share,
      recipients: distinctAddresses(input.recipients),
    })
    if (outcome === 'id taken') throw new AppError('share_id_taken')
    if (outcome === 'reverse share busy') throw new AppError('reverse_share_busy')
    // Its owner changed it in this very moment: what it says now counts.
    if (outcome === 'reverse share changed') return createShare(input, maker)
    return { share, ownerToken }
  }

  /**
   * The reverse share to send through. A cookie left over from one that is gone binds nobody who
   * could make a share without it; what the request names itself is meant.
   */
  async function findReverseShare(
    { reverseShare: named }: CreateShareInput,
    { reverseShareToken, reverseShareAccess, clientAddress }: MakerCredentials,
    mayCreate: boolean,
  ): Promise<ReverseShare | null> {
    const token = named === undefined ? reverseShareToken : named
    if (!token) return null
    const isOptional = named === undefined && mayCreate
    const found = await entrances.find(token, clientAddress).catch((error: unknown) => {
      if (isOptional && isAppError(error, 'reverse_share_not_found')) return null
      throw error
    })
    if (found !== null && !(await entrances.isUnlocked(found, reverseShareAccess))) {
      throw new AppError('reverse_share_password_required')
    }
    return found
  }

  return {
    createShare,
    isShareIdAvailable: async (id) =>
      shareIdSchema.safeParse(id).success &&
      !isReservedShareId(id) &&
      (await shares.findById(id)) === null,
  }
}

/** What a share has from the reverse share it is sent through. */
function boundTo(
  reverseShare: ReverseShare | null,
  sender: { identity: Identity | null; senderName: string | undefined },
): Pick<
  Share,
  'reverseShareId' | 'receiverId' | 'receiverLanguage' | 'isPrivate' | 'maxSizeBytes' | 'senderName'
> {
  if (reverseShare === null) {
    return {
      reverseShareId: null,
      receiverId: null,
      receiverLanguage: null,
      isPrivate: false,
      maxSizeBytes: null,
      senderName: null,
    }
  }
  return {
    reverseShareId: reverseShare.id,
    receiverId: reverseShare.creatorId,
    receiverLanguage: reverseShare.language,
    isPrivate: !reverseShare.isPublic,
    maxSizeBytes: reverseShare.maxSizeBytes,
    senderName: readSenderName(reverseShare, sender),
  }
}

/** Who is signed in has a name already. */
function readSenderName(
  { asksSenderName }: ReverseShare,
  { identity, senderName }: { identity: Identity | null; senderName: string | undefined },
): string | null {
  if (!asksSenderName || identity !== null) return null
  if (!senderName?.trim()) {
    throw new AppError('validation_failed', { issues: ['senderName: This field is required'] })
  }
  return senderName.trim()
}
