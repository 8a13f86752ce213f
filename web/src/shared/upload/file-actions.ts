import type { ProgressRecorder } from './transfer-events.ts'
import { changeStatus, type UploadItem } from './upload-item.ts'
import type { UploadQueue } from './upload-queue.ts'

interface Dependencies {
  items: Map<string, UploadItem>
  queue: UploadQueue
  recorder: ProgressRecorder
  /** Deletes what the server has of a file. Never fails. */
  takeBack: (item: UploadItem) => Promise<void>
}

/** What can be done with one file of a session. Each does nothing where the file's state forbids it. */
export function createFileActions({ items, queue, recorder, takeBack }: Dependencies) {
  function drop(item: UploadItem) {
    const { key } = item.status
    items.delete(key)
    recorder.recordRemoved(key)
  }

  function cancel(item: UploadItem) {
    if (item.status.state === 'done') return
    queue.leave(item)
    if (item.transfer) item.transfer.cancel()
    else if (item.url !== null) void takeBack(item)
    drop(item)
  }

  /** Another file began this upload. It goes first, since it counts against the same limits. */
  async function beginAnew(item: UploadItem) {
    const before = { ...item }
    item.url = null
    await takeBack(before)
    queue.putFirst(item.status.key)
    queue.fill()
  }

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
      const { key, state, failure } = item.status
      if (state !== 'failed') return
      changeStatus(item, { state: 'waiting', failure: null })
      if (failure === 'changed') void beginAnew(item)
      else queue.putFirst(key)
    },
    cancel,
    remove(item: UploadItem) {
      if (item.status.state !== 'done') return cancel(item)
      void takeBack(item)
      drop(item)
    },
  }
}
