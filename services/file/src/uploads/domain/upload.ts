import type { ObjectKey } from '@floe/storage'

/**
 * How an upload came to be: by tus, by the chunk protocol, joined from partial uploads, in a batch,
 * or as a share of its own that may be resumed.
 */
export type UploadKind = 'file' | 'chunk' | 'partial' | 'final' | 'batch' | 'direct'

/** One transfer on its way to becoming a file. */
export interface Upload {
  /** Unguessable: everybody who knows it may append. */
  id: string
  kind: UploadKind
  /** Null for a partial upload made without a share. */
  shareUid: string | null
  shareId: string | null
  userId: string | null
  /** Whose storage it takes; null when it counts only for the instance. */
  chargedTo: string | null
  /** Bytes it counts for until it is a file, whether they are there or not. */
  reservedBytes: number
  /** The id its file gets. */
  fileId: string
  /** What the sender calls it, folder included. */
  name: string
  /** `Upload-Metadata` as it came, to be repeated in HEAD. Of a `direct` one, when its share ends. */
  metadata: string | null
  /** `Upload-Concat` as it came. */
  concatenation: string | null
  /** Null until it is declared; never changes afterwards. */
  lengthBytes: number | null
  /** Chunk size at creation, for the chunk protocol. */
  chunkBytes: number | null
  objectKey: ObjectKey
  checkpoint: Checkpoint
  expiresAt: Date
  createdAt: Date
  finishedAt: Date | null
}

/**
 * What is known of the stored bytes without reading them. The bytes up to `offsetBytes` were
 * handed to the store; those up to `syncedBytes` survive the loss of the machine. `bootId` names
 * the machine's run in which the rest was written: in another run it cannot be trusted.
 */
export interface Checkpoint {
  offsetBytes: number
  crc32: number
  syncedBytes: number
  syncedCrc32: number
  bootId: string
  /** Bytes past the checkpoint are unverified (a checksum was promised): drop, never adopt. */
  discardsUnverified: boolean
}

export function isComplete(upload: Upload): boolean {
  return upload.finishedAt !== null
}

/** An upload without activity for this long is abandoned. */
export const UPLOAD_LIFETIME_MS = 24 * 3_600_000

/** How many bytes may be written before progress is made durable. */
export const CHECKPOINT_BYTES = 64 * 1024 * 1024

/** Bodies up to here are taken whole and stored in one go. */
export const SMALL_BODY_BYTES = 256 * 1024
