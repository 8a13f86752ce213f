import { PARALLEL_UPLOADS } from './parallel-uploads.ts'
import type { FileEntry } from './file-entry.ts'
import { createSpeedometer, type Speedometer } from './speedometer.ts'
import type { FailureReason, Transfer, TransferEngine } from './transfer.ts'

export type FileState = 'waiting' | 'uploading' | 'retrying' | 'paused' | 'failed' | 'done'

export interface FileStatus {
  key: string
  /** Folder and name, or only the name. */
  label: string
  sizeBytes: number
  uploadedBytes: number
  state: FileState
  failure: FailureReason | null
  bytesPerSecond: number | null
}

export interface SessionSnapshot {
  /** At most `MAX_ROWS` files, the ones under way first when there are more. */
  rows: readonly FileStatus[]
  hiddenCount: number
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

/** What is remembered of an upload so that it can continue after the page was closed. */
export interface ProgressRecorder {
  recordUrl(key: string, url: string): void
  recordOffset(key: string, offsetBytes: number): void
  recordDone(key: string): void
  recordRemoved(key: string): void
}

export interface QueuedFile {
  entry: FileEntry
  /** Address of an upload begun earlier. */
  url: string | null
}

interface Item extends FileStatus {
  entry: FileEntry
  url: string | null
  transfer: Transfer | null
  speedometer: Speedometer
}

export const MAX_ROWS = 100
const TICK_MS = 250

const order: Record<FileState, number> = {
  failed: 0,
  retrying: 1,
  uploading: 2,
  paused: 3,
  waiting: 4,
  done: 5,
}

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

/** The files of one share on their way to the server, and everything the page shows of them. */
export function createUploadSession({
  shareId,
  files,
  engine,
  recorder,
  now,
  alreadySentBytes = 0,
  alreadySentCount = 0,
}: {
  shareId: string
  files: readonly QueuedFile[]
  engine: TransferEngine
  recorder: ProgressRecorder
  now: () => number
  /** Files of the same share that an earlier visit finished. */
  alreadySentBytes?: number
  alreadySentCount?: number
}): UploadSession {
  const items = new Map<string, Item>(
    files.map(({ entry, url }) => [
      entry.key,
      {
        key: entry.key,
        label: entry.relativePath ?? entry.name,
        sizeBytes: entry.sizeBytes,
        uploadedBytes: 0,
        state: 'waiting',
        failure: null,
        bytesPerSecond: null,
        entry,
        url,
        transfer: null,
        speedometer: createSpeedometer({ now }),
      },
    ]),
  )
  const waiting = [...items.keys()]
  const listeners = new Set<() => void>()
  const total = createSpeedometer({ now })
  let activeCount = 0
  let allPaused = false
  let snapshot = takeSnapshot()
  let timer: ReturnType<typeof setTimeout> | null = null

  function touch() {
    timer ??= setTimeout(() => {
      timer = null
      snapshot = takeSnapshot()
      for (const listener of listeners) listener()
    }, TICK_MS)
  }

  function pump() {
    while (!allPaused && activeCount < PARALLEL_UPLOADS) {
      const key = waiting.shift()
      if (key === undefined) break
      const item = items.get(key)
      if (item?.state === 'waiting') start(item)
    }
    touch()
  }

  function start(item: Item) {
    activeCount += 1
    item.state = 'uploading'
    item.failure = null
    item.transfer = engine.start({
      entry: item.entry,
      shareId,
      url: item.url,
      events: {
        onUrl(url) {
          if (item.url === url) return
          item.url = url
          recorder.recordUrl(item.key, url)
        },
        onProgress(bytes) {
          const previous = item.uploadedBytes
          item.uploadedBytes = bytes
          item.speedometer.record(bytes)
          // What the server already held was not sent just now.
          if (item.speedometer.isMoving()) total.add(bytes - previous)
          if (item.state === 'retrying') item.state = 'uploading'
          recorder.recordOffset(item.key, bytes)
          touch()
        },
        onRetry() {
          if (item.state === 'uploading') item.state = 'retrying'
          item.speedometer.reset()
          touch()
        },
        onDone() {
          item.uploadedBytes = item.sizeBytes
          leave(item, 'done')
          recorder.recordDone(item.key)
        },
        onFailure(reason) {
          item.failure = reason
          // The server no longer knows it: another try begins anew.
          if (reason === 'gone') {
            item.url = null
            item.uploadedBytes = 0
          }
          leave(item, 'failed')
        },
      },
    })
  }

  function leave(item: Item, state: FileState) {
    if (isActive(item)) activeCount -= 1
    item.state = state
    item.transfer = null
    item.speedometer.reset()
    pump()
  }

  function takeSnapshot(): SessionSnapshot {
    const counts: Record<FileState, number> = {
      waiting: 0,
      uploading: 0,
      retrying: 0,
      paused: 0,
      failed: 0,
      done: 0,
    }
    let sizeBytes = alreadySentBytes
    let uploadedBytes = alreadySentBytes
    for (const item of items.values()) {
      counts[item.state] += 1
      sizeBytes += item.sizeBytes
      uploadedBytes += Math.min(item.uploadedBytes, item.sizeBytes)
    }
    const bytesPerSecond = counts.uploading > 0 ? total.bytesPerSecond() : null
    const left = sizeBytes - uploadedBytes
    return {
      rows: pickRows().map(toStatus),
      hiddenCount: Math.max(0, items.size - MAX_ROWS),
      fileCount: items.size + alreadySentCount,
      doneCount: counts.done + alreadySentCount,
      failedCount: counts.failed,
      retryingCount: counts.retrying,
      sizeBytes,
      uploadedBytes,
      bytesPerSecond,
      secondsLeft: bytesPerSecond !== null && bytesPerSecond > 0 ? left / bytesPerSecond : null,
      isPaused: allPaused,
      isFinished: counts.done === items.size,
    }
  }

  function pickRows(): Item[] {
    const list = [...items.values()]
    if (list.length <= MAX_ROWS) return list
    return list.sort((a, b) => order[a.state] - order[b.state]).slice(0, MAX_ROWS)
  }

  function pauseItem(item: Item) {
    if (item.state !== 'uploading' && item.state !== 'retrying') return
    item.transfer?.pause()
    item.speedometer.reset()
    activeCount -= 1
    item.state = 'paused'
  }

  function resumeItem(item: Item) {
    if (item.state !== 'paused') return
    activeCount += 1
    item.state = 'uploading'
    item.transfer?.resume()
  }

  function close() {
    if (timer !== null) clearTimeout(timer)
    listeners.clear()
    engine.close()
  }

  function withItem(key: string, act: (item: Item) => void) {
    const item = items.get(key)
    if (item) act(item)
    pump()
  }

  pump()
  return {
    shareId,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getSnapshot: () => snapshot,
    pause: (key) => withItem(key, pauseItem),
    resume: (key) => withItem(key, resumeItem),
    retry: (key) =>
      withItem(key, (item) => {
        if (item.state !== 'failed') return
        item.state = 'waiting'
        item.failure = null
        waiting.unshift(key)
      }),
    cancel: (key) =>
      withItem(key, (item) => {
        if (item.state === 'done') return
        if (isActive(item)) activeCount -= 1
        item.transfer?.cancel()
        items.delete(key)
        recorder.recordRemoved(key)
      }),
    pauseAll() {
      allPaused = true
      for (const item of items.values()) pauseItem(item)
      touch()
    },
    resumeAll() {
      allPaused = false
      for (const item of items.values()) resumeItem(item)
      pump()
    },
    close,
    end() {
      for (const item of items.values()) item.transfer?.cancel()
      close()
    },
  }
}

function isActive({ state }: Item): boolean {
  return state === 'uploading' || state === 'retrying'
}

function toStatus(item: Item): FileStatus {
  const { key, label, sizeBytes, uploadedBytes, state, failure, speedometer } = item
  const bytesPerSecond = state === 'uploading' ? speedometer.bytesPerSecond() : null
  return { key, label, sizeBytes, uploadedBytes, state, failure, bytesPerSecond }
}
