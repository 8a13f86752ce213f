import type { AdminPort, FilePort, UpdateShareInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/passwords'
import { resolveExpiration } from './expiration.ts'
import { adminAct } from './admin-acts.ts'
import type { Caller, CallerCredentials, Ownership } from './ownership.ts'
import type { Completion, ReverseShareStore, ShareChanges, ShareStore } from './ports.ts'
import { requireLive, requireNotRemoved, type Share } from './share.ts'
import { distinctAddresses } from './share-mail.ts'

export interface CompletedShare {
  share: Share
  /** `null` for a share that no reverse share asked for. */
  notifiesReceiver: boolean | null
}

export interface Editing {
  /**
   * Fails with share_not_found, forbidden, share_already_completed, share_without_files,
   * reverse_share_used_up.
   */
  completeShare(id: string, caller: CallerCredentials): Promise<CompletedShare>
  /** Fails with share_not_found, forbidden, share_removed. */
  reopenShare(id: string, caller: CallerCredentials): Promise<Share>
  /**
   * Leaves the share as it was last completed; safe to repeat.
   * Fails with share_not_found, forbidden, share_removed, share_never_completed.
   */
  discardEdit(id: string, caller: CallerCredentials): Promise<Share>
  /** Fails with share_not_found, forbidden, validation_failed, share_expiration_too_long. */
  updateShare(id: string, input: UpdateShareInput, caller: Caller): Promise<Share>
  /** Fails with share_not_found, forbidden, share_anonymous_delete. */
  deleteShare(id: string, caller: Caller): Promise<void>
}

export interface EditingDeps {
  shares: ShareStore
  reverseShares: ReverseShareStore
  files: FilePort
  admin: AdminPort
  ownership: Ownership
  passwords: Passwords
  clock: () => Date
}

export function createEditing(deps: EditingDeps): Editing {
  const { shares, reverseShares, files, admin, ownership, passwords, clock } = deps

  async function completeShare(id: string, caller: CallerCredentials) {
    const found = requireLive(await shares.findById(id), clock())
    await ownership.requireMaker(found, caller)
    requireNotRemoved(found)
    if (found.state === 'completed') throw new AppError('share_already_completed')
    const [measured] = await files.measureShares({ shareUids: [found.uid] })
    if (measured === undefined || measured.fileCount === 0) {
      throw new AppError('share_without_files')
    }
    const { share, owesNotice } = requireCompleted(await shares.complete(found, clock()))
    if (share.receiverId === null) return { share, notifiesReceiver: null }
    const settings = await admin.settings({})
    return { share, notifiesReceiver: owesNotice && settings['smtp.enabled'] }
  }

  async function reopenShare(id: string, caller: CallerCredentials) {
    const share = requireLive(await shares.findById(id), clock())
    await ownership.requireOwner(share, caller)
    requireNotRemoved(share)
    return present(await shares.reopen(share.uid, clock()))
  }

  async function discardEdit(id: string, caller: CallerCredentials) {
    const found = requireLive(await shares.findById(id), clock())
    await ownership.requireOwner(found, caller)
    requireNotRemoved(found)
    // Closed first: an upload that ends meanwhile is refused instead of being left over.
    const share = await shares.closeEdit(found.uid, clock())
    if (share === null) throw new AppError('share_never_completed')
    await files.discardChanges({ shareUid: share.uid, edition: share.edition })
    return share
  }

  async function updateShare(id: string, input: UpdateShareInput, caller: Caller) {
    const share = present(await shares.findById(id))
    const { isOwner, isAdmin, identity } = await ownership.judge(share, caller)
    if (!isOwner && !isAdmin) throw new AppError('forbidden')
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

  async function deleteShare(id: string, caller: Caller) {
    const share = present(await shares.findById(id))
    const { isOwner, isReceiver, isAdmin, identity } = await ownership.judge(share, caller)
    const mayDelete = isAdmin || isReceiver
    if (!mayDelete && share.creatorId === null && !(isOwner && share.state === 'open')) {
      throw new AppError('share_anonymous_delete')
    }
    if (!mayDelete && !isOwner) throw new AppError('forbidden')
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
