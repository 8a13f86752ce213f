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
  /**
   * Every file, each the same object as before unless something about it changed. Of a long list
   * those that failed or are under way come first, the others keep their order.
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

interface Item {
  entry: FileEntry
  url: string | null
  transfer: Transfer | null
  /** While it is under way: thousands of files wait at once. */
  speedometer: Speedometer | null
  /** Replaced when something about the file changes, and only then. */
  status: FileStatus
}

/** Of more files than this the ones under way would be far from each other. */
export const UNSORTED_ROWS = 100
const TICK_MS = 250

/** In this order at the head of a long list; the rest stays in its place. */
const leading: readonly FileState[] = ['failed', 'retrying', 'uploading', 'paused']

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
  whenIdle = (act) => act(),
  alreadySentBytes = 0,
  alreadySentCount = 0,
}: {
  shareId: string
  files: readonly QueuedFile[]
  engine: TransferEngine
  recorder: ProgressRecorder
  now: () => number
  /** Calls back once the page has a moment in which it draws nothing; at once unless given. */
  whenIdle?: (act: () => void) => void
  /** Files of the same share that an earlier visit finished. */
  alreadySentBytes?: number
  alreadySentCount?: number
}): UploadSession {
  const items = new Map<string, Item>(
    files.map(({ entry, url }) => [
      entry.key,
      {
        entry,
        url,
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
        },
      },
    ]),
  )
  const waiting = [...items.keys()]
  const listeners = new Set<() => void>()
  const total = createSpeedometer({ now })
  let activeCount = 0
  let allPaused = false
  let isAwaitingIdle = false
  let isClosed = false
  let snapshot = takeSnapshot()
  let timer: ReturnType<typeof setTimeout> | null = null

  function touch() {
    timer ??= setTimeout(() => {
      timer = null
      snapshot = takeSnapshot()
      for (const listener of listeners) listener()
    }, TICK_MS)
  }

  function change(item: Item, changes: Partial<FileStatus>) {
    item.status = { ...item.status, ...changes }
  }

  const mayStart = () => !isClosed && !allPaused && activeCount < PARALLEL_UPLOADS

  /** Beginning a file takes a while, and thousands of small ones are begun one after another. */
  function pump() {
    touch()
    if (isAwaitingIdle || !mayStart() || waiting.length === 0) return
    isAwaitingIdle = true
    whenIdle(() => {
      isAwaitingIdle = false
      if (!mayStart()) return
      startNext()
      pump()
    })
  }

  function startNext() {
    let item: Item | undefined
    // Those that were cancelled meanwhile are gone.
    while (item?.status.state !== 'waiting') {
      const key = waiting.shift()
      if (key === undefined) return
      item = items.get(key)
    }
    start(item)
  }

  function start(item: Item) {
    const { key } = item.status
    const speedometer = createSpeedometer({ now })
    activeCount += 1
    item.speedometer = speedometer
    change(item, { state: 'uploading', failure: null })
    item.transfer = engine.start({
      entry: item.entry,
      shareId,
      url: item.url,
      events: {
        onUrl(url) {
          if (item.url === url) return
          item.url = url
          recorder.recordUrl(key, url)
        },
        onProgress(bytes) {
          const { uploadedBytes, state } = item.status
          speedometer.record(bytes)
          // What the server already held was not sent just now.
          if (speedometer.isMoving()) total.add(bytes - uploadedBytes)
          change(item, {
            uploadedBytes: bytes,
            state: state === 'retrying' ? 'uploading' : state,
          })
          recorder.recordOffset(key, bytes)
          touch()
        },
        onRetry() {
          if (item.status.state === 'uploading') change(item, { state: 'retrying' })
          speedometer.reset()
          touch()
        },
        onDone() {
          leave(item, { state: 'done', uploadedBytes: item.status.sizeBytes })
          recorder.recordDone(key)
        },
        onFailure(reason) {
          // The server no longer knows it: another try begins anew.
          const isGone = reason === 'gone'
          if (isGone) item.url = null
          leave(item, { state: 'failed', failure: reason, ...(isGone && { uploadedBytes: 0 }) })
        },
      },
    })
  }

  function leave(item: Item, changes: Partial<FileStatus>) {
    if (isActive(item)) activeCount -= 1
    change(item, { ...changes, bytesPerSecond: null })
    item.transfer = null
    item.speedometer = null
    pump()
  }

  function takeSnapshot(): SessionSnapshot {
    const byState: Record<FileState, FileStatus[]> = {
      waiting: [],
      uploading: [],
      retrying: [],
      paused: [],
      failed: [],
      done: [],
    }
    let sizeBytes = alreadySentBytes
    let uploadedBytes = alreadySentBytes
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
      fileCount: items.size + alreadySentCount,
      doneCount: byState.done.length + alreadySentCount,
      failedCount: byState.failed.length,
      retryingCount: byState.retrying.length,
      sizeBytes,
      uploadedBytes,
      bytesPerSecond,
      secondsLeft: bytesPerSecond !== null && bytesPerSecond > 0 ? left / bytesPerSecond : null,
      isPaused: allPaused,
      isFinished: byState.done.length === items.size,
    }
  }

  function measureSpeed(item: Item) {
    const { state, bytesPerSecond: before } = item.status
    if (state !== 'uploading' && before === null) return
    const speed = state === 'uploading' ? (item.speedometer?.bytesPerSecond() ?? null) : null
    if (speed !== before) change(item, { bytesPerSecond: speed })
  }

  function pauseItem(item: Item) {
    if (!isActive(item)) return
    item.transfer?.pause()
    item.speedometer?.reset()
    activeCount -= 1
    change(item, { state: 'paused' })
  }

  function resumeItem(item: Item) {
    if (item.status.state !== 'paused') return
    activeCount += 1
    change(item, { state: 'uploading' })
    item.transfer?.resume()
  }

  function close() {
    isClosed = true
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
        if (item.status.state !== 'failed') return
        change(item, { state: 'waiting', failure: null })
        waiting.unshift(key)
      }),
    cancel: (key) =>
      withItem(key, (item) => {
        if (item.status.state === 'done') return
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

function isActive({ status: { state } }: Item): boolean {
  return state === 'uploading' || state === 'retrying'
}

/** The middle of a long list stands still while files begin and end. */
function leadingFirst(
  rows: readonly FileStatus[],
  byState: Readonly<Record<FileState, readonly FileStatus[]>>,
): FileStatus[] {
  return [
    ...leading.flatMap((state) => byState[state]),
    ...rows.filter(({ state }) => !leading.includes(state)),
  ]
}
