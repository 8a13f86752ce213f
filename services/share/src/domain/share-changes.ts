import type { AdminPort, UpdateShareInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import { resolveExpiration } from './expiration.ts'
import type { ReverseShareStore, ShareChanges } from './ports.ts'
import type { Share } from './share.ts'

export interface ShareChangesDeps {
  reverseShares: ReverseShareStore
  admin: AdminPort
  passwords: Passwords
  clock: () => Date
}

/**
 * Reads what an edit of a share asks for. Fails with validation_failed, share_expiration_too_long.
 */
export async function readChanges(
  deps: ShareChangesDeps,
  share: Share,
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
  if (expiration !== undefined) changes.expiresAt = await readExpiry(deps, share, expiration)
  return { ...changes, ...(await readSecurity(deps.passwords, security)) }
}

async function readSecurity(
  passwords: Passwords,
  security: UpdateShareInput['security'],
): Promise<ShareChanges> {
  const { maxViews, password, removePassword } = security ?? {}
  if (removePassword && password !== undefined) {
    throw new AppError('validation_failed', {
      issues: ['security: password and removePassword exclude each other'],
    })
  }
  return {
    ...(maxViews !== undefined && { maxViews: maxViews || null }),
    ...(removePassword && { passwordHash: null }),
    ...(password !== undefined && { passwordHash: await passwords.hash(password) }),
  }
}

/** A share sent through a reverse share ends with it at the latest. */
async function readExpiry(
  { reverseShares, admin, clock }: ShareChangesDeps,
  { reverseShareId }: Share,
  expiration: string,
): Promise<Date | null> {
  const settings = await admin.settings({})
  const maxHours = settings['share.maxExpiration']
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
