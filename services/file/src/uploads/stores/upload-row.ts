import type { Knex } from '@floe/db'
import { AppError } from '@floe/errors'
import { type Upload, UPLOAD_LIFETIME_MS, type UploadKind } from '../domain/upload.ts'

export interface UploadRow {
  id: string
  kind: UploadKind
  share_uid: string | null
  share_id: string | null
  user_id: string | null
  charged_to: string | null
  file_id: string
  name: string
  metadata: string | null
  concatenation: string | null
  length_bytes: number | null
  chunk_bytes: number | null
  object_key: string
  offset_bytes: number
  crc32: number
  synced_bytes: number
  synced_crc32: number
  boot_id: string
  discards_unverified: boolean
  reserved_bytes: number
  lease_token: number
  lease_holder: number | null
  created_at: Date
  expires_at: Date
  finished_at: Date | null
}

export function toUpload(row: UploadRow): Upload {
  return {
    id: row.id,
    kind: row.kind,
    shareUid: row.share_uid,
    shareId: row.share_id,
    userId: row.user_id,
    chargedTo: row.charged_to,
    reservedBytes: row.reserved_bytes,
    fileId: row.file_id,
    name: row.name,
    metadata: row.metadata,
    concatenation: row.concatenation,
    lengthBytes: row.length_bytes,
    chunkBytes: row.chunk_bytes,
    objectKey: row.object_key,
    checkpoint: {
      offsetBytes: row.offset_bytes,
      crc32: row.crc32,
      syncedBytes: row.synced_bytes,
      syncedCrc32: row.synced_crc32,
      bootId: row.boot_id,
      discardsUnverified: row.discards_unverified,
    },
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}

/** When an upload expires that was active just now. */
export function lifetimeEnd(clock: () => Date): Date {
  return new Date(clock().getTime() + UPLOAD_LIFETIME_MS)
}

/** Why a row is not there to be changed under a lease. */
export async function lostLeaseError(knex: Knex, id: string): Promise<AppError> {
  const row = await knex('uploads').where({ id }).first('id')
  return new AppError(row ? 'upload_interrupted' : 'upload_gone')
}

export function rejectTakenFileId(error: unknown): never {
  const UNIQUE_VIOLATION = '23505'
  if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) {
    throw new AppError('file_id_taken', { cause: error })
  }
  throw error
}
