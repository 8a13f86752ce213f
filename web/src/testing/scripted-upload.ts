import type { TransferEngine, TransferEvents } from '../shared/upload/transfer.ts'
import { createUploadJob, type SentThrough, type UploadJob } from '../shared/upload/upload-job.ts'
import { toQueuedFile } from '../shared/upload/upload-item.ts'
import { createUploadSession } from '../shared/upload/upload-session.ts'

export interface ScriptedUpload {
  job: UploadJob
  /** What the transfer of a file tells; throws while it is not under way. */
  eventsOf(name: string): TransferEvents
  /** What the upload asked its transfers for, in order, such as `pause a.txt`. */
  log: readonly string[]
}

/** An upload of files of 1 kB whose transfers do what a test tells them. */
export function scriptUpload(...names: string[]): ScriptedUpload {
  return scriptUploadOf(1_000, ...names)
}

/** The same with files of this size; small ones go together. */
export function scriptUploadOf(sizeBytes: number, ...names: string[]): ScriptedUpload {
  const { session, ...rest } = scriptSession('s', names, sizeBytes)
  const receipt = { id: 's', name: null, expiration: '', description: null }
  return { ...rest, job: createUploadJob({ session, name: 's', finish: async () => receipt }) }
}

/** The same for a share that nobody has decided about. */
export function scriptDraft(shareId: string, ...names: string[]): ScriptedUpload {
  const { session, ...rest } = scriptSession(shareId, names)
  return { ...rest, job: createUploadJob({ session, name: shareId }) }
}

/** The same for one that is sent through a link. */
export function scriptSending(
  reverseShare: SentThrough,
  ...[shareId, ...names]: [string, ...string[]]
): ScriptedUpload {
  const { session, ...rest } = scriptSession(shareId, names)
  return { ...rest, job: createUploadJob({ session, name: shareId, reverseShare }) }
}

function scriptSession(shareId: string, names: readonly string[], sizeBytes = 1_000) {
  const running = new Map<string, TransferEvents>()
  const log: string[] = []
  const engine: TransferEngine = {
    start({ entry: { key }, events }) {
      running.set(key, events)
      log.push(`start ${key}`)
      return {
        pause: () => void log.push(`pause ${key}`),
        resume: () => void log.push(`resume ${key}`),
        cancel: () => void log.push(`cancel ${key}`),
      }
    },
    startBatch: (files) => files.map(engine.start),
    remove: async ({ fileId }) => void log.push(`remove ${fileId}`),
    settled: () => Promise.resolve(),
    close: () => undefined,
  }
  const files = names.map((name) =>
    toQueuedFile({
      key: name,
      file: new File(['x'], name),
      name,
      relativePath: null,
      sizeBytes,
    }),
  )
  const nothing = () => undefined
  const session = createUploadSession({
    share: { id: shareId },
    files,
    engine,
    recorder: {
      recordUrl: nothing,
      recordOffset: nothing,
      recordDone: nothing,
      recordSealed: nothing,
      recordRemoved: nothing,
    },
    now: () => 0,
  })
  const eventsOf = (name: string) => {
    const events = running.get(name)
    if (!events) throw new Error(`${name} is not under way`)
    return events
  }
  return { session, eventsOf, log }
}
