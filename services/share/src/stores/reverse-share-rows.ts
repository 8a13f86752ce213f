import { type Receiver, toLanguage } from '@floe/contracts'
import type { ReverseShareChanges } from '../domain/ports.ts'
import type { ReverseShare } from '../domain/reverse-share.ts'

export interface ReverseShareRow {
  id: string
  token: string
  creator_id: string
  created_at: Date
  name: string | null
  expires_at: Date
  max_size_bytes: number
  remaining_uses: number
  password_hash: string | null
  sends_notice: boolean
  asks_sender_name: boolean
  is_public: boolean
  is_simplified: boolean
  receiver: Receiver | null
  language: string | null
}

export function fromReverseShareRow(row: ReverseShareRow): ReverseShare {
  return {
    id: row.id,
    token: row.token,
    creatorId: row.creator_id,
    createdAt: row.created_at,
    name: row.name,
    expiresAt: row.expires_at,
    maxSizeBytes: row.max_size_bytes,
    remainingUses: row.remaining_uses,
    passwordHash: row.password_hash,
    sendsNotice: row.sends_notice,
    asksSenderName: row.asks_sender_name,
    isPublic: row.is_public,
    isSimplified: row.is_simplified,
    receiver: row.receiver,
    language: toLanguage(row.language),
  }
}

export function toReverseShareRow(reverseShare: ReverseShare): ReverseShareRow {
  return {
    id: reverseShare.id,
    token: reverseShare.token,
    creator_id: reverseShare.creatorId,
    created_at: reverseShare.createdAt,
    name: reverseShare.name,
    expires_at: reverseShare.expiresAt,
    max_size_bytes: reverseShare.maxSizeBytes,
    remaining_uses: reverseShare.remainingUses,
    password_hash: reverseShare.passwordHash,
    sends_notice: reverseShare.sendsNotice,
    asks_sender_name: reverseShare.asksSenderName,
    is_public: reverseShare.isPublic,
    is_simplified: reverseShare.isSimplified,
    receiver: reverseShare.receiver,
    language: reverseShare.language,
  }
}

export function toChangedReverseShareColumns(
  changes: ReverseShareChanges,
): Partial<ReverseShareRow> {
  const { name, expiresAt, maxSizeBytes, remainingUses, passwordHash } = changes
  const { sendsNotice, asksSenderName, isPublic, isSimplified } = changes
  return {
    ...(name !== undefined && { name }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(maxSizeBytes !== undefined && { max_size_bytes: maxSizeBytes }),
    ...(remainingUses !== undefined && { remaining_uses: remainingUses }),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
    ...(sendsNotice !== undefined && { sends_notice: sendsNotice }),
    ...(asksSenderName !== undefined && { asks_sender_name: asksSenderName }),
    ...(isPublic !== undefined && { is_public: isPublic }),
    ...(isSimplified !== undefined && { is_simplified: isSimplified }),
  }
}
