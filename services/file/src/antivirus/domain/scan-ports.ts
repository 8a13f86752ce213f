import type { ScanReport } from '@floe/contracts'
import type { Verdict } from '../scanner/clamd.ts'

/** A file that nobody has asked the scanner about, or not with an answer that counts. */
export interface UnscannedFile {
  shareUid: string
  id: string
  objectKey: string
  sizeBytes: number
}

export type ScanOutcome = Verdict | { state: 'failed' }

export interface ScanStore {
  /**
   * Shares with files to scan, a page at a time: those without an answer, and those that were too
   * big for a limit that was lower than this one.
   */
  sharesWaiting(options: {
    after: string | null
    limit: number
    limitBytes: number
  }): Promise<string[]>
  /** The files of a share to scan, the latest first. */
  listWaiting(shareUid: string, options: { limitBytes: number }): Promise<UnscannedFile[]>
  /**
   * Records what the scanner said, unless the file is gone; where it was the last answer that its
   * share waited for, `share.scanned` too, and `file.infected` for one that is.
   */
  settle(file: UnscannedFile, outcome: ScanOutcome, options: { limitBytes: number }): Promise<void>
  count(): Promise<Omit<ScanReport, 'isReachable'>>
  /** How many files of the edition being worked on are in one of these states. */
  countIn(shareUids: readonly string[], states: readonly string[]): Promise<Map<string, number>>
}
