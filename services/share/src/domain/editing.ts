import type { CompleteShareInput, FilePort, Identity, UpdateShareInput } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { adminAuditEvent } from './admin-audit-events.ts'
import type { Completion, ShareStore } from './ports.ts'
import { archiveLevelOf, requireEncrypted, type Share } from './share.ts'
import type { HeldShare } from './share-access.ts'
import { readChanges, readFirstTerms, type ShareChangesDeps } from './share-changes.ts'
import { distinctAddresses } from './share-mail.ts'

export interface CompletedShare {
  share: Share
  /** `null` for a share that no reverse share asked for. */
  notifiesReceiver: boolean | null
}

/** A share that is completed, for its maker or by itself. */
export interface Completing {
  share: Share
  maker: Identity | null
}

/** Changes of a share, once `ShareAccess` allowed them. All fail with share_not_found. */
export interface Editing {
  /**
   * Fails with share_already_completed, share_without_files, reverse_share_used_up,
   * validation_failed, share_expiration_too_long, share_id_taken.
   */
  completeShare(held: Completing, input: CompleteShareInput): Promise<CompletedShare>
  /** Fails with share_encrypted, encryption_required. */
  reopenShare(found: Share): Promise<Share>
  /**
   * Leaves the share as it was last completed; safe to repeat. Fails with share_never_completed.
   */
  discardEdit(found: Share): Promise<Share>
  /** Fails with forbidden, validation_failed, share_expiration_too_long, share_encrypted. */
  updateShare(held: HeldShare, input: UpdateShareInput): Promise<Share>
  deleteShare(held: HeldShare): Promise<void>
}

export interface EditingDeps extends ShareChangesDeps {
  shares: ShareStore
  files: FilePort
}

export function createEditing(deps: EditingDeps): Editing {
  const { shares, files, admin, clock } = deps

  async function completeShare({ share: found, maker }: Completing, input: CompleteShareInput) {
    if (found.state === 'completed') throw new AppError('share_already_completed')
    const [measured] = await files.measureShares({ shareUids: [found.uid] })
    if (measured === undefined || measured.fileCount === 0) {
      throw new AppError('share_without_files')
    }
    const terms = await readFirstTerms(deps, { share: found, caller: maker }, input)
    const settings = await admin.settings({})
    const archiveLevel = archiveLevelOf(found, settings)
    // What was opened early, and not held then, is gated file by file.
    const isOpen = found.state === 'uploading' && found.visibleEdition === null
    const isHeld = !isOpen && (measured.waiting ?? 0) > 0
    const completion = await shares.complete(found, { now: clock(), archiveLevel, terms, isHeld })
    const { share, owesNotice } = requireCompleted(completion)
    if (share.receiverId === null) return { share, notifiesReceiver: null }
    return { share, notifiesReceiver: owesNotice && settings['smtp.enabled'] }
  }

  async function reopenShare(found: Share) {
    // What an editor added would lie there as it is.
    if (found.isEncrypted) throw new AppError('share_encrypted')
    requireEncrypted(found, await admin.settings({}))
    return present(await shares.reopen(found.uid, clock()))
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
    if (share.isEncrypted) requireSamePassword(input)
    const changes = await readChanges(deps, { share, caller: identity }, input)
    const { recipients } = input
    return present(
      await shares.update(share.uid, {
        changes,
        ...(recipients && { recipients: distinctAddresses(recipients) }),
        now: clock(),
        auditEvents: isOwner
          ? []
          : [
              adminAuditEvent('share.edited', share, {
                identity,
                caller,
                fields: Object.keys(input),
              }),
            ],
      }),
    )
  }

  async function deleteShare({ share, standing, caller }: HeldShare) {
    const { isOwner, isReceiver, identity } = standing
    const isRemoved = await shares.remove(
      share.uid,
      isOwner || isReceiver ? [] : [adminAuditEvent('share.deleted', share, { identity, caller })],
    )
    if (!isRemoved) throw new AppError('share_not_found')
  }

  return { completeShare, reopenShare, discardEdit, updateShare, deleteShare }
}

/** What became of it, or why it could not be. */
export function requireCompleted<T extends object>(completion: T | Exclude<Completion, object>): T {
  if (completion === 'gone') throw new AppError('share_not_found')
  if (completion === 'used up') throw new AppError('reverse_share_used_up')
  if (completion === 'id taken') throw new AppError('share_id_taken')
  if (completion === 'completed already') throw new AppError('share_already_completed')
  return completion
}

/** It is part of the key, which nobody can change here: another one would open nothing. */
function requireSamePassword({ security }: UpdateShareInput): void {
  const { password, removePassword } = security ?? {}
  if (password !== undefined || removePassword) throw new AppError('share_encrypted')
}

function present(share: Share | null): Share {
  if (share === null) throw new AppError('share_not_found')
  return share
}
