import { type ShareState, toLanguage } from '@floe/contracts'
import type { ShareChanges } from '../domain/ports.ts'
import type { Share } from '../domain/share.ts'

export interface ShareRow {
  uid: string
  id: string
  created_at: Date
  name: string | null
  description: string | null
  expires_at: Date | null
  password_hash: string | null
  max_views: number | null
  views: number
  creator_id: string | null
  owner_token_hash: string | null
  creator_address_hash: string | null
  state: ShareState
  edition: number
  visible_edition: number | null
  archive_level: number | null
  completed_at: Date | null
  last_activity_at: Date
  removed_reason: string | null
  reverse_share_id: string | null
  receiver_id: string | null
  is_private: boolean
  restricts_to_recipients: boolean
  max_size_bytes: number | null
  sender_name: string | null
  notify_on_download: boolean
  is_encrypted: boolean
  sealed_key: string | null
  language: string | null
  receiver_language: string | null
}

export function fromRow(row: ShareRow): Share {
  return {
    uid: row.uid,
    id: row.id,
    createdAt: row.created_at,
    name: row.name,
    description: row.description,
    expiresAt: row.expires_at,
    passwordHash: row.password_hash,
    maxViews: row.max_views,
    views: row.views,
    creatorId: row.creator_id,
    ownerTokenHash: row.owner_token_hash,
    creatorAddressHash: row.creator_address_hash,
    state: row.state,
    edition: row.edition,
    visibleEdition: row.visible_edition,
    archiveLevel: row.archive_level,
    completedAt: row.completed_at,
    lastActivityAt: row.last_activity_at,
    removedReason: row.removed_reason,
    reverseShareId: row.reverse_share_id,
    receiverId: row.receiver_id,
    isPrivate: row.is_private,
    restrictsToRecipients: row.restricts_to_recipients,
    maxSizeBytes: row.max_size_bytes,
    senderName: row.sender_name,
    notifyOnDownload: row.notify_on_download,
    isEncrypted: row.is_encrypted,
    sealedKey: row.sealed_key,
    language: toLanguage(row.language),
    receiverLanguage: toLanguage(row.receiver_language),
  }
}

export function toShare(row: ShareRow | undefined): Share | null {
  return row === undefined ? null : fromRow(row)
}

export function toRow(share: Share): ShareRow {
  return {
    uid: share.uid,
    id: share.id,
    created_at: share.createdAt,
    name: share.name,
    description: share.description,
    expires_at: share.expiresAt,
    password_hash: share.passwordHash,
    max_views: share.maxViews,
    views: share.views,
    creator_id: share.creatorId,
    owner_token_hash: share.ownerTokenHash,
    creator_address_hash: share.creatorAddressHash,
    state: share.state,
    edition: share.edition,
    visible_edition: share.visibleEdition,
    archive_level: share.archiveLevel,
    completed_at: share.completedAt,
    last_activity_at: share.lastActivityAt,
    removed_reason: share.removedReason,
    reverse_share_id: share.reverseShareId,
    receiver_id: share.receiverId,
    is_private: share.isPrivate,
    restricts_to_recipients: share.restrictsToRecipients,
    max_size_bytes: share.maxSizeBytes,
    sender_name: share.senderName,
    notify_on_download: share.notifyOnDownload,
    is_encrypted: share.isEncrypted,
    sealed_key: share.sealedKey,
    language: share.language,
    receiver_language: share.receiverLanguage,
  }
}

export function toChangedColumns(changes: ShareChanges): Partial<ShareRow> {
  const { name, description, expiresAt, passwordHash, maxViews } = changes
  const { notifyOnDownload, senderName, restrictsToRecipients } = changes
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
    ...(maxViews !== undefined && { max_views: maxViews }),
    ...(restrictsToRecipients !== undefined && {
      restricts_to_recipients: restrictsToRecipients,
    }),
    ...(notifyOnDownload !== undefined && { notify_on_download: notifyOnDownload }),
    ...(senderName !== undefined && { sender_name: senderName }),
  }
}
