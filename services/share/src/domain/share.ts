import type { Language, Settings, ShareState } from '@floe/contracts'
import { AppError } from '@floe/errors'

const retryAfterSeconds = 5

/** `id` is the public link and may be used again after a deletion; everything binds to `uid`. */
export interface Share {
  uid: string
  id: string
  createdAt: Date
  name: string | null
  description: string | null
  /** `null` means never. */
  expiresAt: Date | null
  passwordHash: string | null
  /** `null` means no limit. */
  maxViews: number | null
  views: number
  /** `null` for a share made without signing in. */
  creatorId: string | null
  ownerTokenHash: string | null
  /** Hash of the anonymous maker's address; removed after an hour and on completion. */
  creatorAddressHash: string | null
  state: ShareState
  /** How often it was completed or opened early: the edition that visitors read unless one is held. */
  edition: number
  /**
   * The edition that visitors read while that one is held until its files were scanned: 0 is none.
   * `null` where nothing is held.
   */
  visibleEdition: number | null
  /** Compression of that edition's archive; `null` before the first, and in older rows. */
  archiveLevel: number | null
  completedAt: Date | null
  lastActivityAt: Date
  removedReason: string | null
  /** Set while the reverse share it is sent through exists. */
  reverseShareId: string | null
  /** The owner of that reverse share, who reads and may delete what was sent. */
  receiverId: string | null
  /** Only its creator and its receiver may read. */
  isPrivate: boolean
  /** Besides those, only recipients may read, who show that an address on the list is theirs. */
  restrictsToRecipients: boolean
  /** The limit of the reverse share, beside that of all shares; `null` is no limit. */
  maxSizeBytes: number | null
  senderName: string | null
  notifyOnDownload: boolean
  /** Its files are ciphertexts: their names, sizes and digests are not those of what was sent. */
  isEncrypted: boolean
  /** Its key for the owner of the reverse share, as the sender sealed it. */
  sealedKey: string | null
  /** The creator's language, used for recipients too; `null` in older rows. */
  language: Language | null
  /** The language of the reverse share's owner. */
  receiverLanguage: Language | null
}

// Literal path segments under /api/shares would hide shares with these ids.
const reservedIds: ReadonlySet<string> = new Set(['all', 'isShareIdAvailable'])

/**
 * Ids that no share may have. The visit cookie of a share called `x_owner` would carry the name of
 * the owner cookie of share `x`.
 */
export function isReservedShareId(id: string): boolean {
  return reservedIds.has(id) || id.endsWith('_owner')
}

export function isExpired({ expiresAt }: Pick<Share, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** Fails with encryption_required where what goes into this share would lie there as it is. */
export function requireEncrypted(
  share: Pick<Share, 'isEncrypted'>,
  settings: Pick<Settings, 'share.encryption'>,
): void {
  if (!mayReceive(share, settings)) throw new AppError('encryption_required')
}

export function mayReceive(
  { isEncrypted }: Pick<Share, 'isEncrypted'>,
  settings: Pick<Settings, 'share.encryption'>,
): boolean {
  return isEncrypted || settings['share.encryption'] !== 'required'
}

/** Ciphertext does not become smaller. */
export function archiveLevelOf(
  { isEncrypted }: Pick<Share, 'isEncrypted'>,
  settings: Pick<Settings, 'share.zipCompressionLevel'>,
): number {
  return isEncrypted ? 0 : settings['share.zipCompressionLevel']
}

/** The edition that visitors read; 0 while they read none. */
export function editionOfVisitors({
  edition,
  visibleEdition,
}: Pick<Share, 'edition' | 'visibleEdition'>): number {
  return visibleEdition ?? edition
}

/** The edition that uploads go into and the next completion publishes. */
export function workingEdition({ state, edition }: Pick<Share, 'state' | 'edition'>): number {
  return state === 'uploading' ? edition : edition + 1
}

/**
 * Why it does not open; of an encrypted one with the word that it is, so that nobody is asked for
 * what opens it whose link lacks its key.
 */
export function closed(
  { isEncrypted }: Pick<Share, 'isEncrypted'>,
  code: 'share_password_required' | 'share_recipient_required',
): AppError {
  return new AppError(code, isEncrypted ? { members: { encrypted: true } } : {})
}

/** The share, or why nobody but its owner may know more: share_not_found. */
export function requireLive(share: Share | null, now: Date): Share {
  if (share === null || isExpired(share, now)) throw new AppError('share_not_found')
  return share
}

/**
 * What a link leads to: completed at least once or opened early, unexpired, not removed,
 * not held. Fails with share_not_found, share_removed, share_being_scanned.
 */
export function requirePublished(found: Share | null, now: Date): Share {
  const share = requireLive(found, now)
  if (share.state === 'open') throw new AppError('share_not_found')
  requireNotRemoved(share)
  if (editionOfVisitors(share) === 0) {
    throw new AppError('share_being_scanned', { retryAfterSeconds })
  }
  return share
}

export function requireNotRemoved({ removedReason }: Share): void {
  if (removedReason !== null) throw new AppError('share_removed', { message: removedReason })
}
