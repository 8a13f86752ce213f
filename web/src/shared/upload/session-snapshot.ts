import { MOST_BATCH_FILE_BYTES } from '@floe/contracts'
import type { Speedometer } from './speedometer.ts'
import { type FileState, type FileStatus, measureSpeed, type UploadItem } from './upload-item.ts'

export interface SessionSnapshot {
  /**
   * Every file, each the same object as before unless something about it changed. A long list
   * begins with the files that failed and the large ones under way, and keeps the order of the
   * others.
   */
  rows: readonly FileStatus[]
  fileCount: number
  doneCount: number
  failedCount: number
  retryingCount: number
  sizeBytes: number
  uploadedBytes: number
  bytesPerSecond: number | null
  secondsLeft: number | null
  isPaused: boolean
  /** Nothing is left to send, nothing failed. */
  isFinished: boolean
}

/** In a longer list the files under way would be far from each other. */
export const UNSORTED_ROWS = 100

/** In this order at the head of a long list; the rest stays in its place. */
const leading: readonly FileState[] = ['failed', 'retrying', 'comparing', 'uploading', 'paused']

interface SessionState {
  items: ReadonlyMap<string, UploadItem>
  /** How fast all of them travel together. */
  total: Speedometer
  /** Files of the same share that an earlier visit finished. */
  alreadySent: { count: number; bytes: number }
  isPaused: boolean
}

export function takeSnapshot({
  items,
  total,
  alreadySent,
  isPaused,
}: SessionState): SessionSnapshot {
  const byState: Record<FileState, FileStatus[]> = {
    waiting: [],
    comparing: [],
    uploading: [],
    retrying: [],
    paused: [],
    failed: [],
    done: [],
  }
  let sizeBytes = alreadySent.bytes
  let uploadedBytes = alreadySent.bytes
  const rows: FileStatus[] = []
  for (const item of items.values()) {
    measureSpeed(item)
    const { status } = item
    rows.push(status)
    byState[status.state].push(status)
    sizeBytes += status.sizeBytes
    uploadedBytes += Math.min(status.uploadedBytes, status.sizeBytes)
  }
  const bytesPerSecond = byState.uploading.length > 0 ? total.bytesPerSecond() : null
  const left = sizeBytes - uploadedBytes
  return {
    rows: rows.length > UNSORTED_ROWS ? leadingFirst(rows, byState) : rows,
    fileCount: items.size + alreadySent.count,
    doneCount: byState.done.length + alreadySent.count,
    failedCount: byState.failed.length,
    retryingCount: byState.retrying.length,
    sizeBytes,
    uploadedBytes,
    bytesPerSecond,
    secondsLeft: bytesPerSecond !== null && bytesPerSecond > 0 ? left / bytesPerSecond : null,
    isPaused,
    isFinished: byState.done.length === items.size,
  }
}

/** The middle of a long list stands still while files begin and end. */
function leadingFirst(
  rows: readonly FileStatus[],
  byState: Readonly<Record<FileState, readonly FileStatus[]>>,
): FileStatus[] {
  return [
    ...leading.flatMap((state) => byState[state].filter(leads)),
    ...rows.filter((row) => !leads(row)),
  ]
}

/** Small files travel by hundreds, which would push all others down and up again. */
function leads({ state, sizeBytes }: FileStatus): boolean {
  if (state === 'failed') return true
  return leading.includes(state) && sizeBytes > MOST_BATCH_FILE_BYTES
}
