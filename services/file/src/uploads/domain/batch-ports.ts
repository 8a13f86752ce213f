import type { UploadGrant } from '@floe/contracts'
import type { ObjectKey } from '@floe/storage'
import type { Limits } from '../../quotas/domain/quotas.ts'

/** A file of a batch that is about to be stored. */
export interface SentFile {
  /** What its sender calls it. */
  id: string
  name: string
  sizeBytes: number
  crc32: number
  sha256: Buffer
  bytes: Buffer
  objectKey: ObjectKey
  /** Its row until it is a file, and the id that stands for the file there. */
  uploadId: string
  stagedId: string
}

export interface KnownFile {
  sizeBytes: number
  crc32: number
  /** Its owner took it out of the share again. */
  isRemoved: boolean
}

/** The rows of batches. */
export interface BatchStore {
  /** Files that the share has already, by id. */
  findKnown(shareUid: string, ids: readonly string[]): Promise<Map<string, KnownFile>>
  /** What is counted against the limits of a share, an account and the instance. */
  measureCharges(
    shareUid: string,
    chargedTo: string | null,
  ): Promise<{ shareBytes: number; userBytes: number; instanceBytes: number }>
  /**
   * Counts the bytes of all files and makes their rows, or fails with `share_too_large`,
   * `quota_exceeded`, `instance_quota_exceeded`. Durable with the next durable commit.
   */
  stage(grant: UploadGrant, limits: Limits, files: readonly SentFile[]): Promise<void>
  /**
   * Staged files become files of that edition, in one durable transaction with their events. What
   * the share knows by now, or whose row is gone, does not; its bytes are given back. Returns the
   * ids of those that did.
   */
  finish(files: readonly SentFile[], edition: number): Promise<ReadonlySet<string>>
}
