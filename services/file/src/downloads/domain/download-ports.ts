import type { ShareEdition } from '../../files/domain/file-ports.ts'

/** A file, or the archive of a share where `fileId` is `null`. */
export interface Downloaded {
  shareUid: string
  fileId: string | null
}

/** Downloads of one file or archive that began within the same hour, which begins at `hour`. */
export interface DownloadCount extends Downloaded {
  hour: Date
  count: number
  lastAt: Date
}

export interface DownloadCountStore {
  /**
   * Adds to what was counted before, in one statement; each hour of each file comes once. What is
   * gone meanwhile is left out. Fails, and may be repeated, when one goes at this very moment.
   */
  add(counts: readonly DownloadCount[]): Promise<void>
  /** Totals of each file of this edition, and of the archive; without what was never downloaded. */
  totals(share: ShareEdition): Promise<{ fileId: string | null; total: number; lastAt: Date }[]>
  /** Downloads by hour, oldest first; `only` narrows them to a file, or to the archive (`null`). */
  hours(
    share: ShareEdition,
    range: { since: Date; only?: string | null },
  ): Promise<{ hour: Date; count: number }[]>
}
