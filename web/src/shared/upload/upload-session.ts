import { createFileActions } from './file-actions.ts'
import { type SessionSnapshot, takeSnapshot } from './session-snapshot.ts'
import { createSpeedometer } from './speedometer.ts'
import { createThrottledStore } from './throttled-store.ts'
import type { TransferEngine } from './transfer.ts'
import { createTransferEvents, type ProgressRecorder } from './transfer-events.ts'
import {
  changeStatus,
  type FileStatus,
  type QueuedFile,
  toItem,
  type UploadItem,
} from './upload-item.ts'
import { createUploadQueue } from './upload-queue.ts'

const TICK_MS = 250

export interface UploadSession {
  readonly shareId: string
  subscribe(listener: () => void): () => void
  getSnapshot(): SessionSnapshot
  pause(key: string): void
  resume(key: string): void
  retry(key: string): void
  cancel(key: string): void
  pauseAll(): void
  resumeAll(): void
  /** Stops sending; what is on the server stays there. */
  close(): void
  /** Stops sending, and deletes from the server what was on its way there. */
  end(): void
}

interface SessionOptions {
  shareId: string
  files: readonly QueuedFile[]
  engine: TransferEngine
  recorder: ProgressRecorder
  now: () => number
  /** Calls back once the page has a moment in which it draws nothing; at once unless given. */
  whenIdle?: (act: () => void) => void
  /** Files of the same share that an earlier visit finished. */
  alreadySent?: { count: number; bytes: number }
}

/** The files of one share on their way to the server, and everything the page shows of them. */
export function createUploadSession({
  shareId,
  files,
  engine,
  recorder,
  now,
  whenIdle = (act) => act(),
  alreadySent = { count: 0, bytes: 0 },
}: SessionOptions): UploadSession {
  const items = new Map(files.map((file) => [file.entry.key, toItem(file)]))
  const total = createSpeedometer({ now })
  const queue = createUploadQueue({ items, start, whenIdle })
  const actions = createFileActions({ items, queue, recorder })
  const store = createThrottledStore(
    () => takeSnapshot({ items, total, alreadySent, isPaused: queue.isPaused() }),
    TICK_MS,
  )

  function proceed() {
    store.touch()
    queue.fill()
  }

  function start(item: UploadItem) {
    item.speedometer = createSpeedometer({ now })
    changeStatus(item, { state: 'uploading', failure: null })
    const leave = (changes: Partial<FileStatus>) => {
      queue.leave(item)
      changeStatus(item, { ...changes, bytesPerSecond: null })
      item.transfer = null
      item.speedometer = null
      proceed()
    }
    const events = createTransferEvents({ item, total, recorder, touch: store.touch, leave })
    item.transfer = engine.start({ entry: item.entry, shareId, url: item.url, events })
    store.touch()
  }

  const withItem = (act: (item: UploadItem) => void) => (key: string) => {
    const item = items.get(key)
    if (item) act(item)
    proceed()
  }

  const withAll = (isPaused: boolean, act: (item: UploadItem) => void) => () => {
    queue.setPaused(isPaused)
    for (const item of items.values()) act(item)
    proceed()
  }

  function close() {
    queue.close()
    store.close()
    engine.close()
  }

  proceed()
  return {
    shareId,
    subscribe: store.subscribe,
    getSnapshot: store.get,
    pause: withItem(actions.pause),
    resume: withItem(actions.resume),
    retry: withItem(actions.retry),
    cancel: withItem(actions.cancel),
    pauseAll: withAll(true, actions.pause),
    resumeAll: withAll(false, actions.resume),
    close,
    end() {
      for (const item of items.values()) item.transfer?.cancel()
      close()
    },
  }
}
