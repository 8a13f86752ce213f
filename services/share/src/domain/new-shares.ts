import { randomUUID } from 'node:crypto'
import {
  type AdminPort,
  type CreateShareInput,
  type FilePort,
  type Identity,
  type Language,
  type Settings,
  shareIdSchema,
} from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import type { CreatorAddresses } from './creator-addresses.ts'
import type { AccessOf, Entrances } from './entrances.ts'
import { resolveExpiration } from './expiration.ts'
import { createOwnerToken, hashOwnerToken, type Ownership } from './ownership.ts'
import type { Insertion, ShareStore } from './ports.ts'
import type { ReverseShare } from './reverse-share.ts'
import { isReservedShareId, type Share } from './share.ts'
import { distinctAddresses } from './share-mail.ts'

/** The token of the reverse share that a request names itself. */
export type NamedToken = CreateShareInput['reverseShare']

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

/** Who may make a share. */
export interface Maker extends MakerCredentials {
  identity: Identity | null
  settings: Settings
  /** Needs no reverse share for it. */
  isFree: boolean
}

export interface NewShares {
  /**
   * Lets users make shares, visitors where that is allowed, and whoever sends through a reverse
   * share, which `readNamed` tells where it must be known.
   * Fails with forbidden, reverse_share_not_found, reverse_share_password_required,
   * too_many_requests.
   */
  authorize(credentials: MakerCredentials, readNamed: () => Promise<NamedToken>): Promise<Maker>
  /**
   * `ownerToken` is set for a share made without signing in.
   * Fails with validation_failed, share_expiration_too_long, share_id_taken,
   * reverse_share_busy, too_many_empty_shares, and like `authorize`.
   */
  createShare(
    input: CreateShareInput,
    maker: Maker,
  ): Promise<{ share: Share; ownerToken: string | null }>
  /** Could a share be made under this id right now? */
  isShareIdAvailable(id: string): Promise<boolean>
}

export interface NewSharesDeps {
  shares: ShareStore
  entrances: Entrances
  files: Pick<FilePort, 'measureShares'>
  admin: AdminPort
  ownership: Ownership
  creatorAddresses: CreatorAddresses
  passwords: Passwords
  clock: () => Date
}

export function createNewShares(deps: NewSharesDeps): NewShares {
  const { shares, entrances, files, admin, ownership, creatorAddresses, passwords, clock } = deps

  async function authorize(
    credentials: MakerCredentials,
    readNamed: () => Promise<NamedToken>,
  ): Promise<Maker> {
    const identity = await ownership.identify(credentials.accessToken)
    const settings = await admin.settings({})
    const isFree = identity !== null || settings['share.allowUnauthenticatedShares']
    const maker = { ...credentials, identity, settings, isFree }
    if (!isFree && (await findReverseShare(await readNamed(), maker)) === null) {
      throw new AppError('forbidden')
    }
    return maker
  }

  async function createShare(
    input: CreateShareInput,
    maker: Maker,
  ): Promise<{ share: Share; ownerToken: string | null }> {
    const { identity, settings } = maker
    const reverseShare = await findReverseShare(input.reverseShare, maker)
    if (reverseShare === null && !maker.isFree) throw new AppError('forbidden')
    const now = clock()
    const maxHours = settings['share.maxExpiration']
    const expiresAt =
      reverseShare?.expiresAt ?? resolveExpiration(input.expiration, { now, maxHours })
    if (isReservedShareId(input.id)) throw new AppError('share_id_taken')

    const { password, maxViews } = input.security ?? {}
    const ownerToken = identity === null ? createOwnerToken() : null
    const uid = randomUUID()
    const share: Share = {
      uid,
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
      creatorAddressHash:
        ownerToken === null ? null : await creatorAddresses.hash(uid, maker.clientAddress),
      state: 'open',
      edition: 0,
      archiveLevel: null,
      completedAt: null,
      lastActivityAt: now,
      removedReason: null,
      // Only an account has an address to write to.
      notifyOnDownload: identity !== null && input.notifyOnDownload === true,
      language: maker.language,
      ...boundTo(reverseShare, { identity, senderName: input.senderName }),
    }
    const outcome = await insert(share, distinctAddresses(input.recipients))
    if (outcome === 'too many empty') throw new AppError('too_many_empty_shares')
    if (outcome === 'id taken') throw new AppError('share_id_taken')
    if (outcome === 'reverse share busy') throw new AppError('reverse_share_busy')
    // Its owner changed it in this very moment: what it says now counts.
    if (outcome === 'reverse share changed') return createShare(input, maker)
    return { share, ownerToken }
  }

  /** Which of many open shares have files is asked only where it matters. */
  async function insert(share: Share, recipients: readonly string[]): Promise<Insertion> {
    const outcome = await shares.insert({ share, recipients, filled: [] })
    if (outcome !== 'too many empty' || share.creatorId === null) return outcome
    const open = await shares.listOpenByCreator(share.creatorId)
    const measured = await files.measureShares({ shareUids: open })
    const filled = measured.filter(({ fileCount }) => fileCount > 0)
    return shares.insert({ share, recipients, filled: filled.map(({ shareUid }) => shareUid) })
  }

  /**
   * The reverse share to send through. A cookie left over from one that is gone binds nobody who
   * could make a share without it; what the request names itself is meant.
   */
  async function findReverseShare(
    named: NamedToken,
    { reverseShareToken, reverseShareAccess, clientAddress, isFree }: Maker,
  ): Promise<ReverseShare | null> {
    const token = named === undefined ? reverseShareToken : named
    if (!token) return null
    const isOptional = named === undefined && isFree
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
    authorize,
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
