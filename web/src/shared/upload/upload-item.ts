import { isEditable } from '../text-file/text-file.ts'
import type { SealedState } from './encrypted/sealed-file.ts'
import type { FileEntry } from './file-entry.ts'
import { randomFileId } from './file-id.ts'
import type { Speedometer } from './speedometer.ts'
import type { FailureReason, Transfer } from './transfer.ts'

export type FileState =
  'waiting' | 'comparing' | 'uploading' | 'retrying' | 'paused' | 'failed' | 'done'

export interface FileStatus {
  key: string
  /** Folder and name, or only the name. */
  label: string
  sizeBytes: number
  uploadedBytes: number
  state: FileState
  failure: FailureReason | null
  bytesPerSecond: number | null
  isEditable: boolean
}

export interface QueuedFile {
  entry: FileEntry
  /** Address of an upload begun earlier. */
  url: string | null
  /** By which the server knows it, however often it is sent. */
  fileId: string
  /** What an earlier visit made of it, where its share is encrypted. */
  sealed?: SealedState
}

/** A file that is sent for the first time. */
export function toQueuedFile(entry: FileEntry): QueuedFile {
  return { entry, url: null, fileId: randomFileId() }
}

/** A file of an upload session. */
export interface UploadItem extends QueuedFile {
  transfer: Transfer | null
  /** While it is under way: thousands of files wait at once. */
  speedometer: Speedometer | null
  /** Replaced when something about the file changes, and only then. */
  status: FileStatus
}

export function toItem({ entry, url, fileId }: QueuedFile): UploadItem {
  return {
    entry,
    url,
    fileId,
    transfer: null,
    speedometer: null,
    status: {
      key: entry.key,
      label: entry.relativePath ?? entry.name,
      sizeBytes: entry.sizeBytes,
      uploadedBytes: 0,
      state: 'waiting',
      failure: null,
      bytesPerSecond: null,
      isEditable: isEditable({ ...entry, type: entry.file.type }),
    },
  }
}

export function changeStatus(item: UploadItem, changes: Partial<FileStatus>): void {
  item.status = { ...item.status, ...changes }
}

export function measureSpeed(item: UploadItem): void {
  const { state, bytesPerSecond: before } = item.status
  if (state !== 'uploading' && before === null) return
  const speed = state === 'uploading' ? (item.speedometer?.bytesPerSecond() ?? null) : null
  if (speed !== before) changeStatus(item, { bytesPerSecond: speed })
}
