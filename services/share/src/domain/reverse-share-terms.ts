import { randomBytes, randomUUID } from 'node:crypto'
import {
  type AdminPort,
  closesShares,
  type CreateReverseShareInput,
  type Identity,
  type Language,
  type Receiver,
  type Settings,
  sharingRules,
  type UpdateReverseShareInput,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import { resolveExpiration } from './expiration.ts'
import type { ReverseShareChanges } from './ports.ts'
import { mayTake, type ReverseShare } from './reverse-share.ts'
import type { ShareSizes } from './share-sizes.ts'

/** A reverse share that its owner may change or delete. */
export interface OwnedReverseShare {
  reverseShare: ReverseShare
  owner: Identity
}

export interface ReverseShareMaker {
  owner: Identity
  language: Language | null
}

/**
 * Reads what an owner asks for and checks it against the settings. Everything fails with
 * validation_failed, share_expiration_too_long, reverse_share_too_big; something new with
 * reverse_shares_disabled, a change with reverse_share_must_be_private too.
 */
export interface ReverseShareTerms {
  ofNew(input: CreateReverseShareInput, maker: ReverseShareMaker): Promise<ReverseShare>
  ofChanged(input: UpdateReverseShareInput, own: OwnedReverseShare): Promise<ReverseShareChanges>
}

export interface ReverseShareTermsDeps {
  admin: AdminPort
  passwords: Passwords
  sizes: ShareSizes
  clock: () => Date
}

export function createReverseShareTerms(deps: ReverseShareTermsDeps): ReverseShareTerms {
  const { admin, passwords, sizes, clock } = deps

  async function requireAllowedSize(maxShareSize: number, owner: Identity) {
    const allowed = await sizes.ofOwner(owner)
    if (allowed > 0 && maxShareSize > allowed) throw new AppError('reverse_share_too_big')
  }

  /**
   * What is sent has neither a password nor recipients of the owner's choice. Of what is encrypted
   * others have no use.
   */
  const mayBePublic = (settings: Settings, owner: Identity, receiver: Receiver | null) =>
    receiver === null && !closesShares(sharingRules(settings, owner))

  function readExpiry(text: string, settings: Settings, owner: Identity): Date {
    const rule = { now: clock(), rules: sharingRules(settings, owner) }
    const expiresAt = resolveExpiration(text, { ...rule, field: 'shareExpiration' })
    if (expiresAt === null) throw new RangeError('a reverse share must end')
    return expiresAt
  }

  return {
    ofNew: async (input, { owner, language }) => {
      const settings = await admin.settings({})
      const { 'share.reverseShares': mode } = settings
      if (mode === 'off') throw new AppError('reverse_shares_disabled')
      const { receiver = null } = input
      if (!mayTake({ receiver }, settings)) {
        throw new AppError(receiver ? 'encryption_disabled' : 'encryption_required')
      }
      await requireAllowedSize(input.maxShareSize, owner)
      const { password, token = randomBytes(16).toString('base64url') } = input
      return {
        id: randomUUID(),
        token,
        creatorId: owner.userId,
        createdAt: clock(),
        name: input.name ?? null,
        expiresAt: readExpiry(input.shareExpiration, settings, owner),
        maxSizeBytes: input.maxShareSize,
        remainingUses: input.maxUseCount,
        passwordHash: password === undefined ? null : await passwords.hash(password),
        sendsNotice: input.sendEmailNotification,
        asksSenderName: input.askSenderName,
        // Not refused: clients ask for it without being asked.
        isPublic: input.publicAccess && mayBePublic(settings, owner, receiver),
        isSimplified: input.simplified || mode === 'simple',
        receiver,
        language,
      }
    },

    ofChanged: async (input, { owner, reverseShare: { receiver } }) => {
      const { shareExpiration, maxShareSize, remainingUses, name, password } = input
      const { sendEmailNotification, askSenderName, publicAccess, simplified } = input
      const settings = await admin.settings({})
      if (publicAccess && !mayBePublic(settings, owner, receiver)) {
        throw new AppError('reverse_share_must_be_private')
      }
      await requireAllowedSize(maxShareSize ?? 0, owner)
      return {
        ...(shareExpiration !== undefined && {
          expiresAt: readExpiry(shareExpiration, settings, owner),
        }),
        ...(maxShareSize !== undefined && { maxSizeBytes: maxShareSize }),
        ...(remainingUses !== undefined && { remainingUses }),
        ...(name !== undefined && { name: name || null }),
        ...(password !== undefined && {
          passwordHash: password === null ? null : await passwords.hash(password),
        }),
        ...(sendEmailNotification !== undefined && { sendsNotice: sendEmailNotification }),
        ...(askSenderName !== undefined && { asksSenderName: askSenderName }),
        ...(publicAccess !== undefined && { isPublic: publicAccess }),
        ...(simplified !== undefined && { isSimplified: simplified }),
      }
    },
  }
}
