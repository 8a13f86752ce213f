import { randomUUID } from 'node:crypto'
import type { CreateShareInput, Identity, Language } from '@floe/contracts'
import type { Passwords } from '@floe/secrets'
import type { CreatorAddresses } from './creator-addresses.ts'
import { hashOwnerToken } from './ownership.ts'
import type { ReverseShare } from './reverse-share.ts'
import type { Share } from './share.ts'
import { boundTo } from './share-senders.ts'
import { smallerLimit } from './share-sizes.ts'

export interface ComposeShareDeps {
  creatorAddresses: CreatorAddresses
  passwords: Passwords
  clock: () => Date
}

/** The terms of a new share: its maker, its reverse share, its owner's token, its end. */
export interface ShareOrigin {
  maker: { identity: Identity | null; clientAddress: string; language: Language | null }
  reverseShare: ReverseShare | null
  ownerToken: string | null
  expiresAt: Date | null
  /** Whatever the reverse share says, only its owner opens what is sent. */
  isClosed: boolean
}

/** A new share, open and empty. Fails with validation_failed. */
export async function composeShare(
  { creatorAddresses, passwords, clock }: ComposeShareDeps,
  input: CreateShareInput,
  { maker, reverseShare, ownerToken, expiresAt, isClosed }: ShareOrigin,
): Promise<Share> {
  const { identity, clientAddress, language } = maker
  const now = clock()
  const { password, maxViews, restrictToRecipients = false } = input.security ?? {}
  const uid = randomUUID()
  const { senderName, sealedKey } = input
  const bound = boundTo(reverseShare, { identity, senderName, sealedKey, isClosed })
  const capBytes = identity?.tokenCaps?.maxShareBytes ?? 0
  return {
    uid,
    id: input.id,
    createdAt: now,
    name: input.name ?? null,
    description: input.description ?? null,
    expiresAt,
    passwordHash: password === undefined ? null : await passwords.hash(password),
    maxViews: maxViews || null,
    views: 0,
    restrictsToRecipients: restrictToRecipients,
    creatorId: identity?.userId ?? null,
    ...(await claimFor(ownerToken, () => creatorAddresses.hash(uid, clientAddress))),
    state: 'open',
    edition: 0,
    visibleEdition: null,
    archiveLevel: null,
    completedAt: null,
    lastActivityAt: now,
    removedReason: null,
    // Only an account has an address to write to.
    notifyOnDownload: identity !== null && input.notifyOnDownload === true,
    isEncrypted: input.encrypted === true,
    language,
    ...bound,
    maxSizeBytes: smallerLimit(bound.maxSizeBytes ?? 0, capBytes) || null,
  }
}

/** What lets a maker without an account come back to the share; an account needs neither. */
async function claimFor(
  ownerToken: string | null,
  hashAddress: () => Promise<string | null>,
): Promise<Pick<Share, 'ownerTokenHash' | 'creatorAddressHash'>> {
  if (ownerToken === null) return { ownerTokenHash: null, creatorAddressHash: null }
  return { ownerTokenHash: hashOwnerToken(ownerToken), creatorAddressHash: await hashAddress() }
}
