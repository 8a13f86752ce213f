import { ERROR_CODE_HEADER, UPLOADS_PATH } from '@floe/contracts'
import Uppy, { type Meta, type UppyFile } from '@uppy/core'
import Tus, { type TusBody } from '@uppy/tus'
import { calmMoment } from './calm-moment.ts'
import type { FileEntry } from './file-entry.ts'
import { PARALLEL_UPLOADS } from './parallel-uploads.ts'
import type { FailureReason, Transfer, TransferEngine, TransferEvents } from './transfer.ts'

/** Below this a file travels inside the request that creates it. */
const SINGLE_REQUEST_BYTES = 1_000_000

const DAY_OF_RETRIES = 8640
const retryDelays = [0, 1000, 3000, 5000, ...Array.from({ length: DAY_OF_RETRIES }, () => 10_000)]

// Failures are shown beside their file; Uppy would also write them to the console.
const silent = { debug() {}, warn() {}, error() {} }

/**
 * Cutting a piece off has the browser ask another process and wait, longer than it takes to begin
 * sending a small file: a whole one is sent as it is.
 */
const wholeFiles = {
  async openFile(file: Blob) {
    const { size } = file
    return {
      size,
      async slice(start: number, end: number) {
        const isWhole = start === 0 && end >= size
        return { value: isWhole ? file : file.slice(start, end), done: end >= size }
      },
      close() {},
    }
  },
}

interface Running {
  events: TransferEvents
  outcome: 'done' | FailureReason | null
  /** Why the last request was refused, as the server names it. */
  refusal: string | null
}

type TusUppyFile = UppyFile<Meta, TusBody>

/**
 * Uppy and its tus plugin, holding only the files that are under way: Uppy copies its list of files
 * on every step, which would make thousands of files slow, so the queue stays outside.
 */
export function createTusEngine({
  beforeRequest,
}: {
  /** Runs ahead of every request, to renew the session. */
  beforeRequest: () => Promise<void>
}): TransferEngine {
  const running = new Map<string, Running>()
  const uppy = new Uppy<Meta, TusBody>({ allowMultipleUploadBatches: true, logger: silent })

  uppy.use(Tus, {
    endpoint: new URL(UPLOADS_PATH, window.location.origin).href,
    limit: PARALLEL_UPLOADS,
    chunkSize: Number.POSITIVE_INFINITY,
    retryDelays,
    fileReader: wholeFiles,
    // Our registry remembers unfinished uploads. The plugin's own would continue an upload of the
    // same file inside another share.
    storeFingerprintForResuming: false,
    async onBeforeRequest() {
      await beforeRequest()
      await calmMoment()
    },
  })
  const tus = uppy.getPlugin<Tus<Meta, TusBody>>('Tus')

  const runningOf = (file: TusUppyFile | undefined) => (file ? running.get(file.id) : undefined)
  uppy.on('upload-progress', (file, { bytesUploaded }) => {
    runningOf(file)?.events.onProgress(bytesUploaded || 0)
  })
  uppy.on('upload-success', (file) => {
    const entry = runningOf(file)
    if (entry) entry.outcome = 'done'
  })
  uppy.on('upload-error', (file, _error, response) => {
    const entry = runningOf(file)
    if (entry) entry.outcome = failureOf(response?.status ?? 0, entry.refusal)
  })

  function noteUrl(id: string) {
    const upload = tus?.uploaders[id]
    if (!upload?.url) return
    // tus-js-client begins a second upload from zero when the answer to its HEAD is anything but
    // success, a gateway's 502 included. Without an endpoint it can only continue this one.
    upload.options.endpoint = null
    running.get(id)?.events.onUrl(upload.url)
  }

  return {
    start({ entry, shareId, url, events }) {
      const id = uppy.addFile({
        name: entry.name,
        type: entry.file.type,
        data: entry.file,
        meta: toMetadata(entry, shareId),
      })
      running.set(id, { events, outcome: null, refusal: null })
      uppy.setFileState(id, {
        tus: {
          allowedMetaFields: Object.keys(toMetadata(entry, shareId)),
          uploadDataDuringCreation: url === null && entry.sizeBytes <= SINGLE_REQUEST_BYTES,
          onUploadUrlAvailable: () => noteUrl(id),
          onShouldRetry: (error, attempt, _options, next) => {
            const status = error.originalResponse?.getStatus()
            const entry = running.get(id)
            if (entry) entry.refusal = error.originalResponse?.getHeader(ERROR_CODE_HEADER) ?? null
            // The session may have ended while the file waited: once more with a renewed one.
            const again = next(error) || (attempt === 0 && (status === 401 || status === 403))
            if (again) entry?.events.onRetry()
            return again
          },
          ...(url !== null && { uploadUrl: url, endpoint: '' }),
        },
      })
      void uppy.upload().finally(() => settle(id))
      return controls(id)
    },
    close() {
      for (const id of running.keys()) {
        void tus?.uploaders[id]?.abort()
        // Or the plugin would delete it from the server, too.
        if (tus) tus.uploaders[id] = null
      }
      running.clear()
      uppy.destroy()
    },
  }

  function settle(id: string) {
    const entry = running.get(id)
    if (!entry) return
    running.delete(id)
    if (uppy.getFile(id)) uppy.removeFile(id)
    if (entry.outcome === 'done') entry.events.onDone()
    else entry.events.onFailure(entry.outcome ?? 'unknown')
  }

  function controls(id: string): Transfer {
    const setPaused = (isPaused: boolean) => {
      const file = uppy.getFile(id)
      if (running.has(id) && file && Boolean(file.isPaused) !== isPaused) uppy.pauseResume(id)
    }
    return {
      pause: () => setPaused(true),
      resume: () => setPaused(false),
      cancel() {
        if (!running.delete(id)) return
        if (uppy.getFile(id)) uppy.removeFile(id)
      },
    }
  }
}

function toMetadata({ file, name, relativePath }: FileEntry, shareId: string): Meta {
  return {
    shareId,
    filename: name,
    ...(file.type !== '' && { filetype: file.type }),
    ...(relativePath !== null && { relativePath }),
  }
}

function failureOf(status: number, refusal: string | null): FailureReason {
  if (refusal === 'quota_exceeded') return 'quotaExceeded'
  if (refusal === 'instance_quota_exceeded') return 'storageFull'
  if (refusal === 'file_name_too_long') return 'nameTooLong'
  if (status === 404 || status === 410) return 'gone'
  if (status === 413) return 'tooLarge'
  if (status === 507) return 'storageFull'
  if (status === 400 || status === 401 || status === 403) return 'refused'
  // Without an answer and without another attempt the file itself could not be read.
  return status === 0 ? 'unreadable' : 'unknown'
}
