import type { FileEntry } from './file-entry.ts'

/** Why the server will not take a file. */
export type FailureReason =
  | 'gone'
  | 'changed'
  | 'tooLarge'
  | 'nameTooLong'
  | 'shareGone'
  | 'quotaExceeded'
  | 'storageFull'
  | 'refused'
  | 'refusedByProxy'
  | 'unreadable'
  | 'unknown'

export interface TransferEvents {
  /** The upload exists on the server from now on and can be continued from this address. */
  onUrl(url: string): void
  /** Bytes of the file that are the same as those on the server; it is being read to find out. */
  onCompared(bytes: number): void
  /** Bytes of the file that have left, from its beginning. */
  onProgress(bytes: number): void
  /** An attempt failed; another follows by itself. */
  onRetry(): void
  onDone(): void
  onFailure(reason: FailureReason): void
}

export interface Transfer {
  pause(): void
  resume(): void
  /** Ends the transfer and deletes the upload from the server. */
  cancel(): void
}

/** The share that files go into. A draft gets another link when it is opened before they are there. */
export interface ShareRef {
  id: string
}

export interface TransferOptions {
  entry: FileEntry
  share: Readonly<ShareRef>
  /** What the server calls the file, the same in every attempt, so that it is stored once. */
  fileId: string
  /**
   * Address of an upload begun earlier: it continues from the offset the server holds, unless the
   * server holds other bytes than the file begins with.
   */
  url: string | null
  events: TransferEvents
}

/** A file that is on the server: by its upload if it had one of its own. */
export type StoredTransfer = Pick<TransferOptions, 'share' | 'fileId' | 'url'>

/** Carries files to the server. Several at once; each survives a server that is away for hours. */
export interface TransferEngine {
  start(options: TransferOptions): Transfer
  /** Sends small files together; returns the transfer of each. */
  startBatch(files: readonly TransferOptions[]): Transfer[]
  /** Takes a file that arrived out of its share again. */
  remove(file: StoredTransfer): Promise<void>
  /** Resolves once nothing that was cancelled can reach the share any more. */
  settled(): Promise<void>
  /** Stops sending; what is on the server stays there. */
  close(): void
}
