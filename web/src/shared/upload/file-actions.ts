import type { ProgressRecorder } from './transfer-events.ts'
import { changeStatus, type UploadItem } from './upload-item.ts'
import type { UploadQueue } from './upload-queue.ts'

interface Dependencies {
  items: Map<string, UploadItem>
  queue: UploadQueue
  recorder: ProgressRecorder
}

/** What can be done with one file of a session. Each does nothing where the file's state forbids it. */
export function createFileActions({ items, queue, recorder }: Dependencies) {
  return {
    pause(item: UploadItem) {
      if (!queue.isActive(item)) return
      item.transfer?.pause()
      item.speedometer?.reset()
      queue.leave(item)
      changeStatus(item, { state: 'paused' })
    },
    resume(item: UploadItem) {
      if (item.status.state !== 'paused') return
      queue.enter(item)
      changeStatus(item, { state: 'uploading' })
      item.transfer?.resume()
    },
    retry(item: UploadItem) {
      if (item.status.state !== 'failed') return
      changeStatus(item, { state: 'waiting', failure: null })
      queue.putFirst(item.status.key)
    },
    cancel(item: UploadItem) {
      const { key, state } = item.status
      if (state === 'done') return
      queue.leave(item)
      item.transfer?.cancel()
      items.delete(key)
      recorder.recordRemoved(key)
    },
  }
}
