import type { FileScan } from '@floe/contracts'

export interface StoredFile {
  id: string
  name: string
  sizeBytes: number
  crc32: number
  sha256: Buffer | null
  /** What it names is given to nobody without the gate: see `antivirus/domain/file-gate.ts`. */
  objectKey: string
  createdAt: Date
  scan: FileScan
}

/** `sha256` in lower-case hexadecimal. */
export type ListedFile = Pick<StoredFile, 'id' | 'name' | 'sizeBytes' | 'scan'> & {
  sha256: string | null
}

/** A share as one of its editions has it; what a grant tells. */
export interface ShareEdition {
  shareUid: string
  edition: number
}

/** The edition that is being worked on. */
export interface WorkingEdition extends ShareEdition {
  /** Visitors read it already. */
  isPublished: boolean
}

/** A file whose removal was published long enough ago. */
export interface PurgeableFile {
  shareUid: string
  id: string
  objectKey: string
}

/** The files that an edition of a share has. */
export interface FileListing {
  /** Sorted by name; the first ones only, if it is told how many. */
  list(share: ShareEdition, most?: number): Promise<StoredFile[]>
  /** Files by share, sorted by name; shares without any are left out. */
  listOfShares(shares: readonly ShareEdition[]): Promise<Map<string, ListedFile[]>>
  find(share: ShareEdition, fileId: string): Promise<StoredFile | null>
  /** What the owner did with a file of this id, whichever editions have it. */
  stateOf(shareUid: string, fileId: string): Promise<'kept' | 'removed' | null>
  /** Another text for every other set of files. */
  revision(share: ShareEdition): Promise<string>
}

/** How much is stored. */
export interface FileSizes {
  measureEdition(share: ShareEdition): Promise<{ fileCount: number; sizeBytes: number }>
  /** Bytes of every finished file. */
  sumSizes(): Promise<number>
  /** What the owner has not removed. */
  measure(
    shareUids: readonly string[],
  ): Promise<{ shareUid: string; fileCount: number; sizeBytes: number }[]>
}

/** What the owner of a share takes out of it, and takes back. */
export interface FileEdits {
  /**
   * Removes a file from the edition being worked on and gives its bytes back to the share. Keeps
   * the row of a file that a published edition has; `unusedKey` is the object of any other.
   */
  remove(working: WorkingEdition, fileId: string): Promise<{ unusedKey: string | null } | null>
  /**
   * Deletes the rows of what was added after this edition, takes back what was removed after it,
   * and puts the share's bytes right. Returns the objects that no row has any more.
   */
  discardChanges(published: ShareEdition): Promise<string[]>
}

/** The rows of removed files, kept for downloads that began before their removal was published. */
export interface FilePurges {
  /** Shares with removed files that are not yet to be purged, a page at a time. */
  sharesWithRemovedFiles(options: { after: string | null; limit: number }): Promise<string[]>
  /** From `purgeAt` on, what these editions and those before them removed may be purged. */
  schedulePurge(published: readonly ShareEdition[], purgeAt: Date): Promise<void>
  listPurgeable(options: { now: Date; limit: number }): Promise<PurgeableFile[]>
  /** Deletes the rows of purgeable files. */
  purge(purged: readonly PurgeableFile[]): Promise<void>
}

/** SHA-256 of stored files. */
export interface FileDigests {
  /** Without those that are going to be purged. */
  listUnhashed(shareUid: string, limit: number): Promise<Omit<StoredFile, 'scan'>[]>
  saveDigests(
    shareUid: string,
    digests: readonly { fileId: string; sha256: Buffer }[],
  ): Promise<void>
}

/** All that a share stores, whichever editions have it. */
export interface ShareFiles {
  /** The objects of a share, files and uploads alike. */
  objectKeysOf(shareUid: string): Promise<string[]>
  /** Deletes every row of a share. */
  removeShare(shareUid: string): Promise<void>
  /** Deletes the row of a file whose bytes are lost, whichever editions have it. */
  removeLost(shareUid: string, fileId: string): Promise<void>
  /** Which of these shares have no file in that edition. */
  withoutFiles(shares: readonly ShareEdition[]): Promise<string[]>
  /** Every share with files or uploads, a page at a time. */
  shareUids(options: { after: string | null; limit: number }): Promise<string[]>
}

export interface FileStore
  extends FileListing, FileSizes, FileEdits, FilePurges, FileDigests, ShareFiles {}
