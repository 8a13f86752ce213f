import type { DeflateProgress } from '../format/index.ts'

/**
 * A segment is the deflated content of one file at one level, made once and read by every archive
 * that has the file. Its row is there before its object is begun.
 */
export interface SegmentId {
  shareUid: string
  fileId: string
  /** 1 to 9. */
  level: number
}

/** How far the segment of a file is. */
export interface SegmentState {
  fileId: string
  /** Content deflated so far. */
  sourceBytes: number
  /** Null until all of it is. */
  ready: ReadySegment | null
}

export interface ReadySegment {
  /** Null where the file is not worth deflating: its own object serves. */
  objectKey: string | null
  sizeBytes: number
  readyAt: Date
}

/** The right of this process to work on one segment, proven by a token that only grows. */
export interface ClaimedSegment extends SegmentId {
  readonly token: number
  readonly objectKey: string
  readonly progress: DeflateProgress
  readonly file: { objectKey: string; sizeBytes: number; crc32: number }
}

/** What there is of segments. */
export interface SegmentListing {
  list(shareUid: string, level: number): Promise<SegmentState[]>
  /** Another text for every other set of segments that are ready. */
  revision(shareUid: string, level: number): Promise<string>
  /** The objects of a share's segments, at every level. */
  objectKeysOf(shareUid: string): Promise<string[]>
  objectKeysOfFiles(files: readonly { shareUid: string; id: string }[]): Promise<string[]>
  /** Object keys of all segments that are ready, a page at a time. */
  readyKeys(options: { after: string | null; limit: number }): Promise<string[]>
  /** Shares that have any, a page at a time. */
  shareUids(options: { after: string | null; limit: number }): Promise<string[]>
}

/** The wish for segments. */
export interface SegmentRequests {
  /** Tells, as an event, that somebody waits for the segments of a share. */
  request(shareUid: string): Promise<void>
  /** Files whose segments are to be made; those that have theirs are left as they are. */
  want(
    shareUid: string,
    options: { level: number; files: readonly { id: string; sizeBytes: number }[] },
  ): Promise<void>
}

/** The making of segments, each step under a claim. */
export interface SegmentClaims {
  /**
   * Segments still needed that no live process works on, those with least left to do first; as many
   * as have `bytes` of content to deflate, each counted with a step at most, and one more.
   */
  claim(options: {
    limit: number
    bytes: number
    stepBytes: number
    except: readonly SegmentId[]
  }): Promise<ClaimedSegment[]>
  /** Ends the claim. False, as for the others below, if it was lost or the file is gone. */
  release(claim: ClaimedSegment, progress?: DeflateProgress): Promise<boolean>
  /** Ends the claim and forgets the progress; the segment gets another object. */
  restart(claim: ClaimedSegment): Promise<boolean>
  settle(
    claim: ClaimedSegment,
    ready: Pick<ReadySegment, 'objectKey' | 'sizeBytes'>,
  ): Promise<boolean>
}

/** The end of segments that no archive needs, or whose objects are lost. */
export interface SegmentRetirement {
  /**
   * Marks what these shares no longer need, from now on: segments of other levels than those of
   * their archives. What they need again is unmarked.
   */
  retire(shares: readonly { shareUid: string; level: number }[]): Promise<void>
  /** Forgets segments retired before then; tells how many, and the objects that are now unused. */
  removeRetired(options: {
    before: Date
    limit: number
  }): Promise<{ removed: number; unusedKeys: string[] }>
  /** Forgets segments by their objects; they are made again when somebody waits for them. */
  forget(objectKeys: readonly string[]): Promise<void>
}

export interface SegmentStore
  extends SegmentListing, SegmentRequests, SegmentClaims, SegmentRetirement {}
