import type { SealedState } from './encrypted/sealed-file.ts'
import type { Speedometer } from './speedometer.ts'
import type { TransferEvents } from './transfer.ts'
import { changeStatus, type FileStatus, type UploadItem } from './upload-item.ts'

/** What is remembered of an upload so that it can continue after the page was closed. */
export interface ProgressRecorder {
  recordUrl(key: string, url: string): void
  recordOffset(key: string, offsetBytes: number): void
  recordDone(key: string): void
  recordSealed(key: string, sealed: SealedState): void
  recordRemoved(key: string): void
}

interface Dependencies {
  item: UploadItem
  /** How fast all files of the session travel together. */
  total: Speedometer
  recorder: ProgressRecorder
  touch: () => void
  /** The transfer has ended. */
  leave: (changes: Partial<FileStatus>) => void
}

/** Follows one transfer: keeps the status of its file, and the record of how far it has come. */
export function createTransferEvents(dependencies: Dependencies): TransferEvents {
  const { item, total, recorder, touch, leave } = dependencies
  const { key } = item.status
  const { speedometer } = item
  return {
    onUrl(url) {
      if (item.url === url) return
      item.url = url
      recorder.recordUrl(key, url)
    },
    onCompared(bytes) {
      changeStatus(item, { state: 'comparing', uploadedBytes: bytes })
      touch()
    },
    onProgress(bytes) {
      const { uploadedBytes, state } = item.status
      speedometer?.record(bytes)
      // What the server already held was not sent just now.
      if (speedometer?.isMoving()) total.add(bytes - uploadedBytes)
      changeStatus(item, {
        uploadedBytes: bytes,
        state: state === 'retrying' || state === 'comparing' ? 'uploading' : state,
      })
      recorder.recordOffset(key, bytes)
      touch()
    },
    onRetry() {
      if (item.status.state === 'uploading') changeStatus(item, { state: 'retrying' })
      speedometer?.reset()
      touch()
    },
    onDone() {
      leave({ state: 'done', uploadedBytes: item.status.sizeBytes })
      recorder.recordDone(key)
    },
    onFailure(reason) {
      // The server no longer knows it: another try begins anew.
      if (reason === 'gone') item.url = null
      const isNothingThere = reason === 'gone' || reason === 'changed'
      leave({ state: 'failed', failure: reason, ...(isNothingThere && { uploadedBytes: 0 }) })
    },
  }
}
