import { randomUUID } from 'node:crypto'
import {
  type AdminPort,
  type CreateShareInput,
  type FilePort,
  shareIdSchema,
  type UpdateShareInput,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/passwords'
import { resolveExpiration } from './expiration.ts'
import {
  type CallerCredentials,
  createOwnerToken,
  hashOwnerToken,
  type Ownership,
} from './ownership.ts'
import type { ShareChanges, ShareStore } from './ports.ts'
import { isReservedShareId, requireLive, requireNotRemoved, type Share } from './share.ts'

export interface Editing {
  /**
   * `ownerToken` is set for a share made without signing in.
   * Fails with forbidden, validation_failed, share_expiration_too_long, share_id_taken.
   */
  createShare(
    input: CreateShareInput,
    accessToken: string | null,
  ): Promise<{ share: Share; ownerToken: string | null }>
  /** Could a share be made under this id right now? */
  isShareIdAvailable(id: string): Promise<boolean>
  /** Fails with share_not_found, forbidden, share_already_completed, share_without_files. */
  completeShare(id: string, caller: CallerCredentials): Promise<Share>
  /** Fails with share_not_found, forbidden, share_removed. */
  reopenShare(id: string, caller: CallerCredentials): Promise<Share>
  /** Fails with share_not_found, forbidden, validation_failed, share_expiration_too_long. */
  updateShare(id: string, input: UpdateShareInput, caller: CallerCredentials): Promise<Share>
  /** Fails with share_not_found, forbidden, share_anonymous_delete. */
  deleteShare(id: string, caller: CallerCredentials): Promise<void>
}

export interface EditingDeps {
  shares: ShareStore
  files: FilePort
  admin: AdminPort
  ownership: Ownership
  passwords: Passwords
  clock: () => Date
}

export function createEditing(deps: EditingDeps): Editing {
  const { shares, files, admin, ownership, passwords, clock } = deps

  async function createShare(input: CreateShareInput, accessToken: string | null) {
    const identity = await ownership.identify(accessToken)
    const settings = await admin.settings({})
    if (identity === null && !settings['share.allowUnauthenticatedShares']) {
      throw new AppError('forbidden')
    }
    const now = clock()
    const maxHours = settings['share.maxExpiration']
    const expiresAt = resolveExpiration(input.expiration, { now, maxHours })
    if (isReservedShareId(input.id)) throw new AppError('share_id_taken')

    const { password, maxViews } = input.security ?? {}
    const ownerToken = identity === null ? createOwnerToken() : null
    const share: Share = {
      uid: randomUUID(),
      id: input.id,
      createdAt: now,
      name: input.name ?? null,
      description: input.description ?? null,
      expiresAt,
      passwordHash: password === undefined ? null : await passwords.hash(password),
      maxViews: maxViews || null,
      views: 0,
      creatorId: identity?.userId ?? null,
      ownerTokenHash: ownerToken === null ? null : hashOwnerToken(ownerToken),
      state: 'open',
      edition: 0,
      completedAt: null,
      lastActivityAt: now,
      removedReason: null,
      reverseShareId: null,
      receiverId: null,
      isPrivate: false,
      maxSizeBytes: null,
      senderName: null,
      // Only an account has an address to write to.
      notifyOnDownload: identity !== null && input.notifyOnDownload === true,
    }
    const isInserted = await shares.insert({ share, recipients: [...new Set(input.recipients)] })
    if (!isInserted) throw new AppError('share_id_taken')
    return { share, ownerToken }
  }

  async function findOwn(id: string, caller: CallerCredentials) {
    const share = requireLive(await shares.findById(id), clock())
    await ownership.requireOwner(share, caller)
    requireNotRemoved(share)
    return share
  }

  async function completeShare(id: string, caller: CallerCredentials) {
    const { uid, state } = await findOwn(id, caller)
    if (state === 'completed') throw new AppError('share_already_completed')
    const [measured] = await files.measureShares({ shareUids: [uid] })
    if (measured === undefined || measured.fileCount === 0) {
      throw new AppError('share_without_files')
    }
    const completed = await shares.complete(uid, clock())
    if (completed === null) throw new AppError('share_already_completed')
    return completed
  }

  async function reopenShare(id: string, caller: CallerCredentials) {
    const { uid } = await findOwn(id, caller)
    return present(await shares.reopen(uid, clock()))
  }

  async function updateShare(id: string, input: UpdateShareInput, caller: CallerCredentials) {
    const share = present(await shares.findById(id))
    await ownership.requireOwnerOrAdmin(share, caller)
    return present(await shares.update(share.uid, await readChanges(input)))
  }

  async function readChanges(input: UpdateShareInput) {
    const { name, description, expiration, security, notifyOnDownload } = input
    const changes: ShareChanges = {}
    if (name !== undefined) changes.name = name || null
    if (description !== undefined) changes.description = description || null
    if (notifyOnDownload !== undefined) changes.notifyOnDownload = notifyOnDownload
    if (security?.maxViews !== undefined) changes.maxViews = security.maxViews || null
    if (expiration !== undefined) {
      const settings = await admin.settings({})
      const maxHours = settings['share.maxExpiration']
      changes.expiresAt = resolveExpiration(expiration, { now: clock(), maxHours })
    }
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

  async function deleteShare(id: string, caller: CallerCredentials) {
    const share = present(await shares.findById(id))
    const { isOwner, isAdmin } = await ownership.judge(share, caller)
    if (!isAdmin && share.creatorId === null && !(isOwner && share.state === 'open')) {
      throw new AppError('share_anonymous_delete')
    }
    if (!isAdmin && !isOwner) throw new AppError('forbidden')
    const isRemoved = await shares.remove(share.uid)
    if (!isRemoved) throw new AppError('share_not_found')
  }

  return {
    createShare,
    completeShare,
    reopenShare,
    updateShare,
    deleteShare,
    isShareIdAvailable: async (id) =>
      shareIdSchema.safeParse(id).success &&
      !isReservedShareId(id) &&
      (await shares.findById(id)) === null,
  }
}

function present(share: Share | null): Share {
  if (share === null) throw new AppError('share_not_found')
  return share
}
