import type { FileScan, ThumbnailSize } from '@floe/contracts'
import type { ShareEdition } from '../../files/domain/file-ports.ts'

/**
 * The thumbnail of one file that is a picture by its name. Its row says that it is wanted, then
 * that it is there or never will be; the row tells the object before that is begun.
 */
export interface ThumbnailId {
  shareUid: string
  fileId: string
}

export interface StoredThumbnail extends ThumbnailSize {
  objectKey: string
  sizeBytes: number
  madeAt: Date
  /** Of the file that it is made of. */
  scan: FileScan
}

/** The right of this process to work on one thumbnail; each claim has an object of its own. */
export interface ClaimedThumbnail extends ThumbnailId {
  readonly objectKey: string
  /** The object of the claim before, which may have got as far as writing it. */
  readonly formerKey: string | null
  /** How often it was begun, this time included. */
  readonly attempt: number
  readonly file: { objectKey: string; sizeBytes: number }
}

/** The object of a thumbnail, and how it looks. */
export interface MadeThumbnail extends ThumbnailSize {
  sizeBytes: number
  crc32: number
}

/** What there is of thumbnails. */
export interface ThumbnailListing {
  /** By file, for all editions of the share. */
  sizesOf(shareUid: string): Promise<Map<string, ThumbnailSize>>
  find(share: ShareEdition, fileId: string): Promise<StoredThumbnail | null>
  objectKeysOf(shareUid: string): Promise<string[]>
  objectKeysOfFiles(files: readonly { shareUid: string; id: string }[]): Promise<string[]>
  /** The thumbnails of files that were added after this edition. */
  objectKeysAddedAfter(published: ShareEdition): Promise<string[]>
  /** Object keys of all thumbnails that are there, a page at a time. */
  readyKeys(options: { after: string | null; limit: number }): Promise<string[]>
}

/** The making of thumbnails: from the wish for them to their objects. */
export interface ThumbnailWork {
  /** Puts the pictures of a share in line; those that were there already stay as they are. */
  want(shareUid: string): Promise<void>
  /** Shares with pictures whose thumbnails are neither there nor refused, a page at a time. */
  sharesWaiting(options: { after: string | null; limit: number }): Promise<string[]>
  /** Tells, as an event each, that these shares wait for thumbnails. */
  request(shareUids: readonly string[]): Promise<void>
  /**
   * The next one that no live process works on. Shares alternate: the first pictures of each come
   * before the hundredth of any.
   */
  claim(options: { except: readonly ThumbnailId[] }): Promise<ClaimedThumbnail | null>
  /** Ends the claim without a result. An attempt that was not the picture's fault counts for none. */
  release(claim: ClaimedThumbnail, options: { countsAttempt: boolean }): Promise<void>
  /** Ends the claim. False if it was lost or the file is gone: the object is then nobody's. */
  settle(claim: ClaimedThumbnail, made: MadeThumbnail): Promise<boolean>
  /** Ends the claim: this file has no thumbnail and never will. */
  refuse(claim: ClaimedThumbnail): Promise<void>
  /** Puts thumbnails in line again, by their objects. */
  forget(objectKeys: readonly string[]): Promise<void>
}

export interface ThumbnailStore extends ThumbnailListing, ThumbnailWork {}
