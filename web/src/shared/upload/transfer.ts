import type { FileEntry } from './file-entry.ts'

/** Why the server will not take a file. */
export type FailureReason =
  | 'gone'
  | 'tooLarge'
  | 'nameTooLong'
  | 'quotaExceeded'
  | 'storageFull'
  | 'refused'
  | 'unreadable'
  | 'unknown'

export interface TransferEvents {
  /** The upload exists on the server from now on and can be continued from this address. */
  onUrl(url: string): void
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

/** Carries files to the server. Several at once; each survives a server that is away for hours. */
export interface TransferEngine {
  start(options: {
    entry: FileEntry
    shareId: string
    /** Address of an upload begun earlier: it continues from the offset the server holds. */
    url: string | null
    events: TransferEvents
  }): Transfer
  /** Stops sending; what is on the server stays there. */
  close(): void
}
