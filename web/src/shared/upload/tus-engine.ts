import { ERROR_CODE_HEADER, PREFIX_CHECKSUM_HEADER, UPLOADS_PATH } from '@floe/contracts'
import Uppy, { type Meta, type UppyFile } from '@uppy/core'
import Tus, { type TusBody, type TusDetailedError, type TusOpts } from '@uppy/tus'
import {
  type BeginningCheck,
  createBeginningCheck,
  FileRefusal,
  readStored,
} from './beginning-check.ts'
import { cargoOf } from './cargo.ts'
import { createPieceStack } from './encrypted/piece-stack.ts'
import type { SealedFile } from './encrypted/sealed-file.ts'
import type { FileEntry } from './file-entry.ts'
import { type LimitedOptions, learnLimit, retryDelays } from './learn-limit.ts'
import { PARALLEL_UPLOADS } from './parallel-uploads.ts'
import type { Prefix } from './prefix.ts'
import type { RememberedLimit } from './request-limit.ts'
import { failureOf, PROXY_REFUSAL } from './failure-of.ts'
import type {
  FailureReason,
  ShareRef,
  Transfer,
  TransferEngine,
  TransferEvents,
} from './transfer.ts'
import { readerOf, type TusReader } from './tus-reader.ts'
import { waitForIdle } from './wait-for-idle.ts'

/** Below this a file travels inside the request that creates it. */
const SINGLE_REQUEST_BYTES = 1_000_000

// Failures are shown beside their file; Uppy would also write them to the console.
const silent = { debug() {}, warn() {}, error() {} }

interface Running {
  entry: FileEntry
  reader: TusReader
  events: TransferEvents
  /** Of an upload that was begun earlier. */
  check: BeginningCheck | null
  outcome: 'done' | FailureReason | null
  /** Why the last request was refused, as the server names it. */
  refusal: string | null
  /** Of what travels. */
  sizeBytes: number
  /** Where the last accepted request ended. */
  offsetBytes: number
}

type TusUppy = Uppy<Meta, TusBody>
type TusUppyFile = UppyFile<Meta, TusBody>

/**
 * Uppy and its tus plugin, holding only the files that are under way: Uppy copies its list of files
 * on every step, which would make thousands of files slow, so the queue stays outside.
 */
export function createTusEngine({
  beforeRequest,
  limit,
}: {
  /** Runs ahead of every request, to renew the session. */
  beforeRequest: () => Promise<void>
  limit: RememberedLimit
}): Pick<TransferEngine, 'start' | 'close'> {
  const running = new Map<string, Running>()
  const uppy = createUppy(beforeRequest, running)
  const tus = uppy.getPlugin<Tus<Meta, TusBody>>('Tus')
  followTransfers(uppy, running)

  function recordUrl(id: string) {
    const upload = tus?.uploaders[id]
    if (!upload?.url) return
    // tus-js-client begins a second upload from zero when the response to its HEAD is anything but
    // success, a gateway's 502 included. Without an endpoint it can only continue this one.
    upload.options.endpoint = null
    running.get(id)?.events.onUrl(upload.url)
  }

  function settle(id: string) {
    const transfer = running.get(id)
    if (!transfer) return
    running.delete(id)
    transfer.entry.sealed?.close()
    if (uppy.getFile(id)) uppy.removeFile(id)
    if (transfer.outcome === 'done') {
      limit.confirm()
      transfer.events.onDone()
    } else transfer.events.onFailure(transfer.outcome ?? 'unknown')
  }

  return {
    start({ entry, share, url, events }) {
      const { name, type, sizeBytes } = cargoOf(entry)
      if (url === null) entry.sealed?.beginAnew()
      const meta = toMetadata(entry, share.id)
      const id = uppy.addFile({ name, type, data: entry.file, meta })
      const transfer = toRunning(entry, url, events)
      running.set(id, transfer)
      uppy.setFileState(id, {
        tus: {
          allowedMetaFields: Object.keys(meta),
          fileReader: transfer.reader,
          ...(entry.sealed && { httpStack: createPieceStack(entry.sealed) }),
          chunkSize: Math.min(limit.bytes(), transfer.reader.mostBytes),
          uploadDataDuringCreation:
            url === null && sizeBytes <= Math.min(SINGLE_REQUEST_BYTES, limit.bytes()),
          onUploadUrlAvailable: () => recordUrl(id),
          onChunkComplete: (_bytes, offsetBytes) => void (transfer.offsetBytes = offsetBytes),
          onShouldRetry: (error, attempt, _options, next) => {
            const options = tus?.uploaders[id]?.options
            return (
              refuseFile(transfer, error) ??
              retryWithLess(limit, options, transfer, { error, attempt }) ??
              shouldRetry(transfer, error, attempt, next(error))
            )
          },
          ...(url !== null && { uploadUrl: url, endpoint: '' }),
          ...(transfer.check && { onAfterResponse: checkAfter(transfer.check, entry) }),
        },
      })
      void uppy.upload().finally(() => settle(id))
      return createControls({ uppy, running, id, share })
    },
    close() {
      for (const [id, { check }] of running) {
        check?.stop()
        void tus?.uploaders[id]?.abort()
        // Or the plugin would delete it from the server, too.
        if (tus) tus.uploaders[id] = null
      }
      running.clear()
      uppy.destroy()
    },
  }
}

function toRunning(entry: FileEntry, url: string | null, events: TransferEvents): Running {
  const { sealed } = entry
  const { sizeBytes } = cargoOf(entry)
  const { onCompared } = events
  const read = sealed && { read: sealed.readPrefix }
  const check = url === null ? null : createBeginningCheck({ entry, onCompared, ...read })
  const reader = readerOf(entry)
  return { entry, reader, events, check, outcome: null, refusal: null, sizeBytes, offsetBytes: 0 }
}

function createUppy(
  beforeRequest: () => Promise<void>,
  running: ReadonlyMap<string, Running>,
): TusUppy {
  const uppy = new Uppy<Meta, TusBody>({ allowMultipleUploadBatches: true, logger: silent })
  return uppy.use(Tus, {
    endpoint: new URL(UPLOADS_PATH, window.location.origin).href,
    limit: PARALLEL_UPLOADS,
    chunkSize: Number.POSITIVE_INFINITY,
    retryDelays,
    // Our registry remembers unfinished uploads. The plugin's own would continue an upload of the
    // same file inside another share.
    storeFingerprintForResuming: false,
    async onBeforeRequest(request, { id }) {
      await beforeRequest()
      await waitForIdle()
      const checksum = request.getMethod() === 'PATCH' ? running.get(id)?.reader.checksum() : null
      if (checksum) request.setHeader(PREFIX_CHECKSUM_HEADER, checksum)
    },
  })
}

/** Tells each transfer how far it is, and keeps how it ended. */
function followTransfers(uppy: TusUppy, running: ReadonlyMap<string, Running>): void {
  const runningOf = (file: TusUppyFile | undefined) => (file ? running.get(file.id) : undefined)
  uppy.on('upload-progress', (file, { bytesUploaded }) => {
    const transfer = runningOf(file)
    // A ciphertext is a little longer than its file.
    transfer?.events.onProgress(Math.min(bytesUploaded || 0, transfer.entry.sizeBytes))
  })
  uppy.on('upload-success', (file) => {
    const transfer = runningOf(file)
    if (transfer) transfer.outcome = 'done'
  })
  uppy.on('upload-error', (file, _error, response) => {
    const transfer = runningOf(file)
    if (transfer) transfer.outcome ??= failureOf(response?.status ?? 0, transfer.refusal)
  })
}

/** tus-js-client sends nothing before this has resolved. */
function checkAfter(
  check: BeginningCheck,
  { sealed }: FileEntry,
): NonNullable<TusOpts<Meta, TusBody>['onAfterResponse']> {
  return async (request, response) => {
    if (request.getMethod() !== 'HEAD' || response.getStatus() !== 200) return
    const stored = readStored((name) => response.getHeader(name))
    await check.run(sealed ? textOf(sealed, stored) : stored)
  }
}

/** What the server has of a ciphertext, as its text. Throws where nobody knows that. */
function textOf(sealed: SealedFile, stored: Prefix | null): Prefix {
  const text = stored && sealed.textAt(stored.bytes)
  if (text === null) throw new FileRefusal('changed')
  return text
}

/** Another attempt does not help where the file is another; null where something else failed. */
function refuseFile(transfer: Running, { causingError }: TusDetailedError): false | null {
  if (!(causingError instanceof FileRefusal)) return null
  transfer.outcome = causingError.reason
  return false
}

/** Whether a smaller request is worth a try; null where the size was not the reason. */
function retryWithLess(
  limit: RememberedLimit,
  options: LimitedOptions | undefined,
  transfer: Running,
  { error, attempt }: { error: TusDetailedError; attempt: number },
): boolean | null {
  if (!options) return null
  const bytesLeft = transfer.sizeBytes - transfer.offsetBytes
  const isOnline = navigator.onLine
  const isWorthIt = learnLimit({ limit, options, error, attempt, bytesLeft, isOnline })
  if (isWorthIt === false) transfer.refusal = PROXY_REFUSAL
  if (isWorthIt === true) transfer.events.onRetry()
  return isWorthIt
}

function shouldRetry(
  transfer: Running,
  { originalResponse }: TusDetailedError,
  attempt: number,
  byDefault: boolean,
): boolean {
  const status = originalResponse?.getStatus()
  transfer.refusal = originalResponse?.getHeader(ERROR_CODE_HEADER) ?? null
  // The session may have ended while the file waited: once more with a renewed one.
  const again = byDefault || (attempt === 0 && (status === 401 || status === 403))
  if (again) transfer.events.onRetry()
  return again
}

interface ControlOptions {
  uppy: TusUppy
  running: Map<string, Running>
  id: string
  share: Readonly<ShareRef>
}

function createControls({ uppy, running, id, share }: ControlOptions): Transfer {
  const setPaused = (isPaused: boolean) => {
    const file = uppy.getFile(id)
    if (running.has(id) && file && Boolean(file.isPaused) !== isPaused) uppy.pauseResume(id)
  }
  return {
    pause() {
      running.get(id)?.check?.stop()
      setPaused(true)
    },
    resume() {
      // The share may have got another link since the file was paused.
      const options = uppy.getPlugin<Tus<Meta, TusBody>>('Tus')?.uploaders[id]?.options
      if (options) options.metadata = { ...options.metadata, shareId: share.id }
      setPaused(false)
    },
    cancel() {
      running.get(id)?.check?.stop()
      running.get(id)?.entry.sealed?.close()
      if (!running.delete(id)) return
      if (uppy.getFile(id)) uppy.removeFile(id)
    },
  }
}

function toMetadata(entry: FileEntry, shareId: string): Meta {
  const { name, relativePath, type } = cargoOf(entry)
  return {
    shareId,
    filename: name,
    ...(type !== '' && { filetype: type }),
    ...(relativePath !== null && { relativePath }),
  }
}
