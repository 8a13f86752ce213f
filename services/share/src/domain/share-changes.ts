import {
  type AdminPort,
  type CompleteShareInput,
  type Identity,
  longestExpirationHours,
  type Settings,
  type UpdateShareInput,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import { resolveExpiration } from './expiration.ts'
import type { FirstTerms, ReverseShareStore, ShareChanges } from './ports.ts'
import { isReservedShareId, type Share } from './share.ts'
import { distinctAddresses } from './share-mail.ts'
import { readFinalSenderName } from './share-senders.ts'

/** A share and who decides about it; nobody has signed in for `null`. */
export interface Decided {
  share: Share
  caller: Identity | null
}

export interface ShareChangesDeps {
  reverseShares: ReverseShareStore
  admin: AdminPort
  passwords: Passwords
  clock: () => Date
}

/**
 * Reads what an edit of a share asks for. Fails with validation_failed, share_expiration_too_long,
 * smtp_disabled.
 */
export async function readChanges(
  deps: ShareChangesDeps,
  { share, caller }: Decided,
  input: UpdateShareInput,
): Promise<ShareChanges> {
  const { name, description, expiration, security, notifyOnDownload } = input
  const changes: ShareChanges = {}
  if (name !== undefined) changes.name = name || null
  if (description !== undefined) changes.description = description || null
  // Only an account has an address to write to.
  if (notifyOnDownload !== undefined && share.creatorId !== null) {
    changes.notifyOnDownload = notifyOnDownload
  }
  if (expiration !== undefined) {
    changes.expiresAt = await readExpiry(deps, { share, caller }, expiration)
  }
  return { ...changes, ...(await readSecurity(deps, security)) }
}

/**
 * Reads what the first completion of a share decides.
 * Fails with validation_failed, share_expiration_too_long, smtp_disabled, share_id_taken.
 */
export async function readFirstTerms(
  deps: ShareChangesDeps,
  { share, caller }: Decided,
  input: CompleteShareInput,
): Promise<FirstTerms> {
  const { id, recipients, security, senderName: given, ...rest } = input
  const [member] = Object.entries(input).find(([, value]) => value !== undefined) ?? []
  if (share.state !== 'open') {
    if (member === undefined) return { changes: {} }
    throw new AppError('validation_failed', {
      issues: [`${member}: can only be decided before the share is first completed`],
    })
  }
  if (id !== undefined && isReservedShareId(id)) throw new AppError('share_id_taken')
  const senderName = await readFinalSenderName(deps.reverseShares, share, given)
  const changes = await readChanges(
    deps,
    { share, caller },
    { ...rest, security: security ?? undefined },
  )
  return {
    ...(id !== undefined && { id }),
    ...(recipients && { recipients: distinctAddresses(recipients) }),
    changes: { ...changes, senderName },
  }
}

/** Codes for recipients are sent by mail. Fails with smtp_disabled. */
export function requireRestrictable(settings: Settings): void {
  const isPossible = settings['smtp.enabled'] && settings['email.enableShareEmailRecipients']
  if (!isPossible) throw new AppError('smtp_disabled')
}

async function readSecurity(
  { passwords, admin }: ShareChangesDeps,
  security: UpdateShareInput['security'],
): Promise<ShareChanges> {
  const { maxViews, password, removePassword, restrictToRecipients } = security ?? {}
  if (removePassword && password !== undefined) {
    throw new AppError('validation_failed', {
      issues: ['security: password and removePassword exclude each other'],
    })
  }
  if (restrictToRecipients) requireRestrictable(await admin.settings({}))
  return {
    ...(restrictToRecipients !== undefined && { restrictsToRecipients: restrictToRecipients }),
    ...(maxViews !== undefined && { maxViews: maxViews || null }),
    ...(removePassword && { passwordHash: null }),
    ...(password !== undefined && { passwordHash: await passwords.hash(password) }),
  }
}

/** A share sent through a reverse share ends with it at the latest. */
async function readExpiry(
  { reverseShares, admin, clock }: ShareChangesDeps,
  { share: { reverseShareId }, caller }: Decided,
  expiration: string,
): Promise<Date | null> {
  const maxHours = longestExpirationHours(await admin.settings({}), caller)
  const reverseShare = reverseShareId === null ? null : await reverseShares.findById(reverseShareId)
  const expiresAt = resolveExpiration(expiration, {
    now: clock(),
    maxHours: reverseShare === null ? maxHours : 0,
  })
  if (reverseShare !== null && (expiresAt === null || expiresAt > reverseShare.expiresAt)) {
    throw new AppError('share_expiration_too_long')
  }
  return expiresAt
}
