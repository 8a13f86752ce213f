import { isNameTooLong, takeForRequest } from '@floe/contracts'
import { createFileActions } from './file-actions.ts'
import { type SessionSnapshot, takeSnapshot } from './session-snapshot.ts'
import { createSpeedometer } from './speedometer.ts'
import { createThrottledStore } from './throttled-store.ts'
import { describeFile, travelsInBatch } from './batch-plan.ts'
import type { FileEntry } from './file-entry.ts'
import { createMembership } from './session-membership.ts'
import { createTakingBack } from './taking-back.ts'
import type { ShareRef, TransferEngine, TransferOptions } from './transfer.ts'
import { createTransferEvents, type ProgressRecorder } from './transfer-events.ts'
import {
  changeStatus,
  type FileStatus,
  type QueuedFile,
  toItem,
  type UploadItem,
} from './upload-item.ts'
import { createUploadQueue, type UploadQueue } from './upload-queue.ts'

const TICK_MS = 250

export interface UploadSession {
  /** Changes when the share gets another link. */
  readonly shareId: string
  subscribe(listener: () => void): () => void
  getSnapshot(): SessionSnapshot
  pause(key: string): void
  resume(key: string): void
  retry(key: string): void
  /** Takes a file out that has not arrived. */
  cancel(key: string): void
  /** Takes files out, also those that have arrived. */
  remove(keys: readonly string[]): void
  /** Sends more files. Those named in `order` stand first, in this order, wherever they were. */
  add(files: readonly QueuedFile[], order?: readonly string[]): void
  entries(): FileEntry[]
  /** Goes on under another link. What was refused under the old one is sent again. */
  moveTo(shareId: string): void
  pauseAll(): void
  resumeAll(): void
  /**
   * Resolves once nothing that was cancelled can reach the share any more, and what was removed is
   * gone. Fails where that cannot be done; the next call tries again.
   */
  settled(): Promise<void>
  /** Stops sending; what is on the server stays there. */
  close(): void
  /** Stops sending, and deletes from the server what was on its way there. */
  end(): void
}

interface SessionOptions {
  share: ShareRef
  files: readonly QueuedFile[]
  engine: TransferEngine
  recorder: ProgressRecorder
  now: () => number
  /** Puts the ciphertext of each file in its place. */
  seal?: (file: QueuedFile) => QueuedFile
  /** Calls back once the page has a moment in which it draws nothing; at once unless given. */
  whenIdle?: (act: () => void) => void
  /** Files of the same share that an earlier visit finished. */
  alreadySent?: { count: number; bytes: number }
}

/** The files of one share on their way to the server, and everything the page shows of them. */
export function createUploadSession({
  share,
  files,
  engine,
  recorder,
  now,
  seal = (file) => file,
  whenIdle = (act) => act(),
  alreadySent = { count: 0, bytes: 0 },
}: SessionOptions): UploadSession {
  const items = new Map(files.map((file) => [file.entry.key, toItem(seal(file))]))
  const total = createSpeedometer({ now })
  const queue = createUploadQueue({ items, choose: chooseTogether, start, whenIdle })
  const takingBack = createTakingBack((item) => engine.remove({ ...item, share }))
  const actions = createFileActions({ items, queue, recorder, takeBack: takingBack.begin })
  const store = createThrottledStore(
    () => takeSnapshot({ items, total, alreadySent, isPaused: queue.isPaused() }),
    TICK_MS,
  )

  function proceed() {
    store.touch()
    queue.fill()
  }

  function prepare(item: UploadItem): TransferOptions {
    item.speedometer = createSpeedometer({ now })
    changeStatus(item, { state: 'uploading', failure: null })
    const begunUnder = share.id
    const leave = (changes: Partial<FileStatus>) => {
      endTransfer(queue, item, changes)
      if (begunUnder !== share.id) sendAgain(item)
      proceed()
    }
    const events = createTransferEvents({ item, total, recorder, touch: store.touch, leave })
    const { entry, url, fileId } = item
    return { entry, share, fileId, url, events }
  }

  /** Under the link of before there is nothing any more. */
  function sendAgain(item: UploadItem) {
    if (item.status.failure === 'gone') actions.retry(item)
  }

  function start(together: readonly UploadItem[]) {
    startTogether(engine, refuseLongNames(queue, together), prepare)
    store.touch()
  }

  function close() {
    queue.close()
    store.close()
    engine.close()
  }

  proceed()
  return {
    get shareId() {
      return share.id
    },
    subscribe: store.subscribe,
    getSnapshot: store.get,
    ...createControls({ items, queue, actions, proceed }),
    ...createMembership({ items, queue, seal, removeItem: actions.remove, refresh: store.refresh }),
    entries: () => [...items.values()].map(({ entry }) => entry),
    moveTo(shareId) {
      share.id = shareId
      for (const item of items.values()) sendAgain(item)
      proceed()
    },
    settled: () => engine.settled().then(takingBack.finish),
    close,
    end() {
      for (const item of items.values()) item.transfer?.cancel()
      close()
    },
  }
}

interface ControlOptions {
  items: ReadonlyMap<string, UploadItem>
  queue: UploadQueue
  actions: ReturnType<typeof createFileActions>
  proceed: () => void
}

/** What people can do with one file, or with all. */
function createControls({ items, queue, actions, proceed }: ControlOptions) {
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
  return {
    pause: withItem(actions.pause),
    resume: withItem(actions.resume),
    retry: withItem(actions.retry),
    cancel: withItem(actions.cancel),
    pauseAll: withAll(true, actions.pause),
    resumeAll: withAll(false, actions.resume),
  }
}

function endTransfer(queue: UploadQueue, item: UploadItem, changes: Partial<FileStatus>): void {
  queue.leave(item)
  changeStatus(item, { ...changes, bytesPerSecond: null })
  item.transfer = null
  item.speedometer = null
}

/** The server sees no name of what is encrypted, and refuses a whole batch for some of them. */
function refuseLongNames(queue: UploadQueue, together: readonly UploadItem[]) {
  const isRefused = ({ status }: UploadItem) => isNameTooLong(status.label)
  for (const item of together.filter(isRefused))
    endTransfer(queue, item, { state: 'failed', failure: 'nameTooLong' })
  return together.filter((item) => !isRefused(item))
}

/** Small files go together, past the large ones between them. */
function chooseTogether(waiting: readonly UploadItem[]): readonly UploadItem[] {
  const [first] = waiting
  if (first === undefined || !travelsInBatch(first)) return waiting.slice(0, 1)
  return takeForRequest(waiting.filter(travelsInBatch), describeFile)
}

function startTogether(
  engine: TransferEngine,
  together: readonly UploadItem[],
  prepare: (item: UploadItem) => TransferOptions,
): void {
  const [first] = together
  if (first === undefined) return
  if (!travelsInBatch(first)) {
    first.transfer = engine.start(prepare(first))
    return
  }
  const transfers = engine.startBatch(together.map(prepare))
  for (const [index, item] of together.entries()) item.transfer = transfers[index] ?? null
}
