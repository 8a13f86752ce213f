import {
  type AdminPort,
  type AuthPort,
  closesShares,
  type CreateShareInput,
  type FilePort,
  type Identity,
  type Language,
  mustVerifyEmail,
  type Settings,
  shareIdSchema,
  sharingRules,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { type ComposeShareDeps, composeShare } from './compose-share.ts'
import type { Entrances } from './entrances.ts'
import { resolveExpiration } from './expiration.ts'
import { createOwnerToken, type Ownership } from './ownership.ts'
import type { Insertion, ShareStore } from './ports.ts'
import type { ReverseShare } from './reverse-share.ts'
import { isReservedShareId, requireEncrypted, type Share } from './share.ts'
import { distinctAddresses } from './share-mail.ts'
import { findReverseShare, type NamedToken, type SenderCredentials } from './share-senders.ts'
import { requireRestrictable, rulesOfReceiver } from './sharing-terms.ts'

/** Credentials of a request that may allow it to make a share. */
export interface MakerCredentials extends SenderCredentials {
  accessToken: string | null
  /** The language of the caller. */
  language: Language | null
}

/** A caller who may make a share. */
export interface Maker extends MakerCredentials {
  identity: Identity | null
  settings: Settings
  /** Needs no reverse share for it. */
  isFree: boolean
}

export interface NewShares {
  /**
   * Lets users make shares, visitors where that is allowed, and senders through a reverse share.
   * `readNamed` is called only where the reverse share decides.
   * Fails with forbidden, email_not_verified, reverse_share_not_found, reverse_shares_disabled,
   * reverse_share_password_required, too_many_requests.
   */
  authorize(credentials: MakerCredentials, readNamed: () => Promise<NamedToken>): Promise<Maker>
  /**
   * `ownerToken` is set for a share made without signing in.
   * What the rules ask for is asked when it is completed, as that may still bring it. Fails with
   * validation_failed, share_expiration_too_long, share_needs_end, encryption_disabled, encryption_required, smtp_disabled, share_id_taken, reverse_share_busy, too_many_empty_shares, and like `authorize`.
   */
  createShare(
    input: CreateShareInput,
    maker: Maker,
  ): Promise<{ share: Share; ownerToken: string | null }>
  /** Could a share be made under this id right now? */
  isShareIdAvailable(id: string): Promise<boolean>
}

export interface NewSharesDeps extends ComposeShareDeps {
  shares: ShareStore
  entrances: Entrances
  files: Pick<FilePort, 'measureShares'>
  auth: Pick<AuthPort, 'findUsers'>
  admin: AdminPort
  ownership: Ownership
}

export function createNewShares(deps: NewSharesDeps): NewShares {
  const { shares, entrances, files, auth, admin, ownership, clock } = deps

  async function authorize(
    credentials: MakerCredentials,
    readNamed: () => Promise<NamedToken>,
  ): Promise<Maker> {
    const identity = await ownership.identify(credentials.accessToken)
    const settings = await admin.settings({})
    const isUnverified = identity !== null && mustVerifyEmail(identity, settings)
    const allowsAll = settings['share.allowUnauthenticatedShares']
    const isFree = !isUnverified && (identity !== null || allowsAll)
    const maker = { ...credentials, identity, settings, isFree }
    if (isFree) return maker
    const reverseShare = await findReverseShare(entrances, await readNamed(), senderOf(maker))
    if (reverseShare === null) throw new AppError(isUnverified ? 'email_not_verified' : 'forbidden')
    return maker
  }

  async function createShare(
    input: CreateShareInput,
    maker: Maker,
  ): Promise<{ share: Share; ownerToken: string | null }> {
    const reverseShare = await findReverseShare(entrances, input.reverseShare, senderOf(maker))
    if (reverseShare === null && !maker.isFree) throw new AppError('forbidden')
    requireReadable(input, maker.settings, reverseShare)
    const rules = sharingRules(maker.settings, maker.identity)
    const expiresAt =
      reverseShare?.expiresAt ?? resolveExpiration(input.expiration, { now: clock(), rules })
    if (input.security?.restrictToRecipients) requireRestrictable(maker.settings)
    if (isReservedShareId(input.id)) throw new AppError('share_id_taken')
    const ownerToken = maker.identity === null ? createOwnerToken() : null
    const share = await composeShare(deps, input, {
      ...{ maker, reverseShare, ownerToken, expiresAt },
      isClosed: reverseShare !== null && (await isClosedFor(reverseShare.creatorId, maker)),
    })
    const outcome = await insert(share, distinctAddresses(input.recipients))
    if (outcome === 'too many empty') throw new AppError('too_many_empty_shares')
    if (outcome === 'id taken') throw new AppError('share_id_taken')
    if (outcome === 'reverse share busy') throw new AppError('reverse_share_busy')
    // Its owner changed it in this very moment: its present terms count.
    if (outcome === 'reverse share changed') return createShare(input, maker)
    return { share, ownerToken }
  }

  /** Whether the rules of its receiver close what is sent, however open its reverse share is. */
  const isClosedFor = async (receiverId: string, { settings }: Maker) =>
    closesShares(await rulesOfReceiver(auth, settings, receiverId))

  /** Asks which of the maker's open shares have files only where it decides. */
  async function insert(share: Share, recipients: readonly string[]): Promise<Insertion> {
    const outcome = await shares.insert({ share, recipients, filled: [] })
    if (outcome !== 'too many empty' || share.creatorId === null) return outcome
    const open = await shares.listOpenByCreator(share.creatorId)
    const measured = await files.measureShares({ shareUids: open })
    const filled = measured.filter(({ fileCount }) => fileCount > 0)
    return shares.insert({ share, recipients, filled: filled.map(({ shareUid }) => shareUid) })
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

/**
 * By whom it is meant for, and by nobody else where that is asked. Fails with encryption_disabled,
 * encryption_required.
 */
function requireReadable(
  { encrypted, sealedKey }: CreateShareInput,
  settings: Settings,
  reverseShare: ReverseShare | null,
): void {
  const isEncrypted = encrypted === true
  // Without its key the receiver of a reverse share could not read it.
  const isPossible = reverseShare === null || reverseShare.receiver !== null
  if (isEncrypted && (settings['share.encryption'] === 'off' || !isPossible)) {
    throw new AppError('encryption_disabled')
  }
  requireEncrypted({ isEncrypted }, settings)
  const isSealed = isEncrypted && sealedKey !== undefined
  if (reverseShare?.receiver && !isSealed) throw new AppError('encryption_required')
}

function senderOf(maker: Maker): SenderCredentials & { isOptional: boolean } {
  return { ...maker, isOptional: maker.isFree }
}
