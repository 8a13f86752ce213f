import type { AdminPort, FilePort, UpdateShareInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import { resolveExpiration } from './expiration.ts'
import { adminAct } from './admin-acts.ts'
import type { Completion, ReverseShareStore, ShareChanges, ShareStore } from './ports.ts'
import type { Share } from './share.ts'
import type { HeldShare } from './share-access.ts'
import { distinctAddresses } from './share-mail.ts'

export interface CompletedShare {
  share: Share
  /** `null` for a share that no reverse share asked for. */
  notifiesReceiver: boolean | null
}

/** What those do with a share whom `ShareAccess` lets. Everything fails with share_not_found. */
export interface Editing {
  /** Fails with share_already_completed, share_without_files, reverse_share_used_up. */
  completeShare(found: Share): Promise<CompletedShare>
  reopenShare(found: Share): Promise<Share>
  /**
   * Leaves the share as it was last completed; safe to repeat. Fails with share_never_completed.
   */
  discardEdit(found: Share): Promise<Share>
  /** Fails with forbidden, validation_failed, share_expiration_too_long. */
  updateShare(held: HeldShare, input: UpdateShareInput): Promise<Share>
  deleteShare(held: HeldShare): Promise<void>
}

export interface EditingDeps {
  shares: ShareStore
  reverseShares: ReverseShareStore
  files: FilePort
  admin: AdminPort
  passwords: Passwords
  clock: () => Date
}

export function createEditing(deps: EditingDeps): Editing {
  const { shares, reverseShares, files, admin, passwords, clock } = deps

  async function completeShare(found: Share) {
    if (found.state === 'completed') throw new AppError('share_already_completed')
    const [measured] = await files.measureShares({ shareUids: [found.uid] })
    if (measured === undefined || measured.fileCount === 0) {
      throw new AppError('share_without_files')
    }
    const settings = await admin.settings({})
    const archiveLevel = settings['share.zipCompressionLevel']
    const completion = await shares.complete(found, { now: clock(), archiveLevel })
    const { share, owesNotice } = requireCompleted(completion)
    if (share.receiverId === null) return { share, notifiesReceiver: null }
    return { share, notifiesReceiver: owesNotice && settings['smtp.enabled'] }
  }

  async function reopenShare({ uid }: Share) {
    return present(await shares.reopen(uid, clock()))
  }

  async function discardEdit(found: Share) {
    // Closed first: an upload that ends meanwhile is refused instead of being left over.
    const share = await shares.closeEdit(found.uid, clock())
    if (share === null) throw new AppError('share_never_completed')
    await files.discardChanges({ shareUid: share.uid, edition: share.edition })
    return share
  }

  async function updateShare({ share, standing, caller }: HeldShare, input: UpdateShareInput) {
    const { isOwner, identity } = standing
    // An administrator does not see the list, so cannot mean to replace it.
    if (!isOwner && input.recipients !== undefined) throw new AppError('forbidden')
    const changes = await readChanges(share, input)
    const { recipients } = input
    return present(
      await shares.update(share.uid, {
        changes,
        ...(recipients && { recipients: distinctAddresses(recipients) }),
        now: clock(),
        acts: isOwner
          ? []
          : [adminAct('share.edited', share, { identity, caller, fields: Object.keys(input) })],
      }),
    )
  }

  async function readChanges(share: Share, input: UpdateShareInput) {
    const { name, description, expiration, security, notifyOnDownload } = input
    const changes: ShareChanges = {}
    if (name !== undefined) changes.name = name || null
    if (description !== undefined) changes.description = description || null
    // Only an account has an address to write to.
    if (notifyOnDownload !== undefined && share.creatorId !== null) {
      changes.notifyOnDownload = notifyOnDownload
    }
    if (security?.maxViews !== undefined) changes.maxViews = security.maxViews || null
    if (expiration !== undefined) changes.expiresAt = await readExpiry(share, expiration)
    if (security?.removePassword) {
      if (security.password !== undefined) {
        throw new AppError('validation_failed', {
          issues: ['security: password and removePassword exclude each other'],
        })
      }
      changes.passwordHash = null
    }
    if (security?.password !== undefined) {
      changes.passwordHash = await passwords.hash(security.password)
    }
    return changes
  }

  /** What was sent through a reverse share ends with it at the latest. */
  async function readExpiry({ reverseShareId }: Share, expiration: string) {
    const settings = await admin.settings({})
    const maxHours = settings['share.maxExpiration']
    const reverseShare =
      reverseShareId === null ? null : await reverseShares.findById(reverseShareId)
    const expiresAt = resolveExpiration(expiration, {
      now: clock(),
      maxHours: reverseShare === null ? maxHours : 0,
    })
    if (reverseShare !== null && (expiresAt === null || expiresAt > reverseShare.expiresAt)) {
      throw new AppError('share_expiration_too_long')
    }
    return expiresAt
  }

  async function deleteShare({ share, standing, caller }: HeldShare) {
    const { isOwner, isReceiver, identity } = standing
    const isRemoved = await shares.remove(
      share.uid,
      isOwner || isReceiver ? [] : [adminAct('share.deleted', share, { identity, caller })],
    )
    if (!isRemoved) throw new AppError('share_not_found')
  }

  return { completeShare, reopenShare, discardEdit, updateShare, deleteShare }
}

function requireCompleted(completion: Completion): Exclude<Completion, string> {
  if (completion === 'gone') throw new AppError('share_not_found')
  if (completion === 'used up') throw new AppError('reverse_share_used_up')
  if (completion === 'completed already') throw new AppError('share_already_completed')
  return completion
}

function present(share: Share | null): Share {
  if (share === null) throw new AppError('share_not_found')
  return share
}
