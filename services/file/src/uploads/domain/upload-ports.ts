import type { UnfinishedFiles } from '@floe/contracts'
import type { Limits } from '../../quotas/domain/quotas.ts'
import type { Checkpoint, Upload, UploadKind } from './upload.ts'

export interface NewUpload {
  id: string
  kind: UploadKind
  shareUid: string | null
  shareId: string | null
  userId: string | null
  chargedTo: string | null
  fileId: string
  name: string
  metadata: string | null
  concatenation: string | null
  lengthBytes: number | null
  chunkBytes: number | null
  objectKey: string
  /** Counted from the start against its share, its account and the instance. */
  reservedBytes: number
  limits: Limits
}

/** A held lease: the right to write, proven by a token that only grows. */
export interface Lease {
  readonly upload: Upload
  readonly token: number
}

export interface FinishedBytes {
  /** Which edition of its share the file becomes part of. */
  edition: number
  sizeBytes: number
  crc32: number
  /** Where it is known already; a job finds it otherwise. */
  sha256?: Buffer
}

export interface FinishedUpload {
  lease: Lease
  bytes: FinishedBytes
  /** Of the request that brought the bytes. */
  requestId: string | null
}

export interface CheckpointOptions {
  /** Gives the lease back with it. */
  release: boolean
  /** Outlives the machine. */
  durable: boolean
  /** All has come: so long it is. */
  lengthBytes?: number | null
}

/** The rows of uploads. */
export interface UploadRecords {
  /**
   * Inserts the row and counts its bytes in one statement. `durable: false` lets the commit ride on
   * the next durable one of the same process.
   * Fails with `share_too_large`, `quota_exceeded`, `instance_quota_exceeded`, or `file_id_taken`
   * when the share knows the file id.
   */
  create(upload: NewUpload, options: { durable: boolean }): Promise<Upload>
  /**
   * `create` for uploads of one share and one owner against the same limits: all of them, or none.
   * Durable with the next durable commit.
   */
  createTogether(uploads: readonly NewUpload[]): Promise<Upload[]>
  find(id: string): Promise<Upload | null>
  findByFile(shareUid: string, fileId: string): Promise<Upload | null>
  listUnfinished(userId: string): Promise<Upload[]>
  unfinishedIdsOf(shareUid: string): Promise<string[]>
  /** What is on its way into a share: numbers of all, and so many of those that were begun first. */
  describeUnfinished(shareUid: string, most: number): Promise<UnfinishedFiles>
  /** Uploads past their expiry, finished ones included. */
  listExpired(limit: number): Promise<Upload[]>
  /** Forgets a finished upload; its file stays. */
  forget(id: string): Promise<void>
  /**
   * Deletes the row, its file's too, and gives the bytes back; true if it was there. One that its
   * sender has left for good (`isGivenUp`) is told to webhooks.
   */
  remove(lease: Lease, options?: { isGivenUp?: boolean }): Promise<boolean>
  /** Deletes the row of an unfinished or partial upload whose object is lost. */
  removeLost(objectKey: string): Promise<void>
}

/** What the holder of a lease saves while it receives bytes. */
export interface UploadProgress {
  /**
   * Takes the lease unless another live process holds it; then tells which, and its token.
   * `heldBy: null` when it was given back meanwhile: try again.
   */
  acquireLease(id: string): Promise<Lease | { heldBy: number | null; token: number } | 'absent'>
  /** Does nothing if the lease was lost. */
  releaseLease(lease: { upload: Pick<Upload, 'id'>; token: number }): Promise<void>
  /** Tells others how far it is, whether that is safe or not. Does nothing if the lease was lost. */
  noteReceived(lease: Lease, receivedBytes: number): Promise<void>
  /** Saves progress. Fails with `upload_interrupted` if the lease was lost. */
  saveCheckpoint(lease: Lease, checkpoint: Checkpoint, options: CheckpointOptions): Promise<void>
  /**
   * The upload becomes a file of that edition: row, event and end of the lease in one durable
   * transaction. Fails with `upload_interrupted` if the lease was lost, `upload_gone` if the upload was, and
   * `file_id_taken` if the share has a file of this id.
   */
  finish(lease: Lease, bytes: FinishedBytes): Promise<void>
  /** `finish` for uploads of one share. Returns the ids of those whose lease was not lost. */
  finishTogether(uploads: readonly FinishedUpload[]): Promise<ReadonlySet<string>>
}

/** What an upload counts for against the limits of its share, its account and the instance. */
export interface UploadReservations {
  /**
   * Declares the length once and counts it. Fails like `reserve`, and with `upload_length_conflict`.
   */
  declareLength(lease: Lease, lengthBytes: number, limits: Limits): Promise<Upload>
  /** The chunk size of an upload of which nothing is stored yet. */
  setChunkBytes(lease: Lease, chunkBytes: number): Promise<void>
  /**
   * Changes what the upload counts for, in one statement. Fails with `share_too_large`,
   * `quota_exceeded`, `instance_quota_exceeded` when it does not fit, `upload_interrupted` if the
   * lease was lost, `upload_gone` if the upload was.
   */
  reserve(lease: Lease, reservedBytes: number, limits: Limits): Promise<void>
  /**
   * `reserve` for an upload that is worth nothing without the bytes: when they do not fit, it ends
   * and gives back what it held. Its object is removed before the counters are free again, because
   * no byte may be stored that was given back a moment too early.
   */
  reserveOrEnd(lease: Lease, reservedBytes: number, limits: Limits): Promise<void>
}

export interface UploadStore extends UploadRecords, UploadProgress, UploadReservations {}

/**
 * How the processes of this service see one another. A lease counts for as long as its holder is
 * present.
 */
export interface Presence {
  readonly instanceKey: number
  /** Call the result to stop listening. Every process hears what any of them tells. */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>
  notify(channel: string, payload: string): Promise<void>
  /** For the others this process is dead until `onRestored`. */
  onLost(handler: () => void): () => void
  onRestored(handler: () => void): () => void
}
