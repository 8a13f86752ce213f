import {
  type AdminPort,
  type CompleteShareInput,
  type Identity,
  sharingRules,
  type UpdateShareInput,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import { resolveExpiration } from './expiration.ts'
import type { FirstTerms, ReverseShareStore, ShareChanges, ShareStore } from './ports.ts'
import { isReservedShareId, type Share } from './share.ts'
import { distinctAddresses } from './share-mail.ts'
import { readFinalSenderName } from './share-senders.ts'
import { requireAllowed, requireRestrictable } from './sharing-terms.ts'

/** A share and who decides about it; nobody has signed in for `null`. */
export interface Decided {
  share: Share
  caller: Identity | null
}

export interface ShareChangesDeps {
  shares: Pick<ShareStore, 'listRecipients'>
  reverseShares: ReverseShareStore
  admin: AdminPort
  passwords: Passwords
  clock: () => Date
}

/**
 * Reads what an edit of a share asks for. A share from before a rule may stay as it is, but nothing
 * that the rule asks for is taken away. Fails with validation_failed, share_expiration_too_long,
 * share_needs_end, share_needs_password, share_needs_recipients, smtp_disabled.
 */
export async function readChanges(
  deps: ShareChangesDeps,
  { share, caller }: Decided,
  input: UpdateShareInput,
): Promise<ShareChanges> {
  const { name, description, expiration, security, notifyOnDownload } = input
  if (share.reverseShareId === null) await requireKept(deps, caller, input)
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
 * Fails like `readChanges`, and with share_id_taken.
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
  const terms = {
    ...(id !== undefined && { id }),
    ...(recipients && { recipients: distinctAddresses(recipients) }),
    changes: { ...changes, senderName },
  }
  // What is sent to somebody is for them alone, or as open as their rules let it be.
  return share.reverseShareId === null ? keepToRules(deps, { share, caller }, terms) : terms
}

/** Every way in which a share opens for the first time leads here. */
async function keepToRules(
  { shares, admin }: ShareChangesDeps,
  { share, caller }: Decided,
  terms: FirstTerms,
): Promise<FirstTerms> {
  const settings = await admin.settings({})
  const rules = sharingRules(settings, caller)
  const { passwordHash, expiresAt } = { ...share, ...terms.changes }
  const recipients = terms.recipients ?? (await shares.listRecipients([share.uid])).get(share.uid)
  requireAllowed(rules, {
    hasPassword: passwordHash !== null,
    hasEnd: expiresAt !== null,
    recipients: recipients ?? [],
  })
  if (!rules.recipientsOnly) return terms
  requireRestrictable(settings)
  return { ...terms, changes: { ...terms.changes, restrictsToRecipients: true } }
}

async function requireKept(
  { admin }: ShareChangesDeps,
  caller: Identity | null,
  { security, recipients }: UpdateShareInput,
): Promise<void> {
  const rules = sharingRules(await admin.settings({}), caller)
  const { removePassword, restrictToRecipients } = security ?? {}
  if (rules.passwordRequired && removePassword) throw new AppError('share_needs_password')
  const isOpened = restrictToRecipients === false || recipients?.length === 0
  if (rules.recipientsOnly && isOpened) throw new AppError('share_needs_recipients')
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
  const rules = sharingRules(await admin.settings({}), caller)
  const reverseShare = reverseShareId === null ? null : await reverseShares.findById(reverseShareId)
  const expiresAt = resolveExpiration(expiration, {
    now: clock(),
    rules: reverseShare === null ? rules : { maxExpiration: 0, allowNeverExpires: true },
  })
  if (reverseShare !== null && (expiresAt === null || expiresAt > reverseShare.expiresAt)) {
    throw new AppError('share_expiration_too_long')
  }
  return expiresAt
}
