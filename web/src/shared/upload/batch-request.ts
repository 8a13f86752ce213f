import { BATCH_TYPE, encodeManifest, ERROR_CODE_HEADER } from '@floe/contracts'
import { describeFile } from './batch-plan.ts'
import type { FileEntry } from './file-entry.ts'

export interface BatchedFile {
  entry: FileEntry
  fileId: string
}

export interface BatchOutcome {
  /** 0 when no response came. */
  status: number
  /** How the server names its refusal; null is not the server's own. */
  code: string | null
  body: unknown
}

/** Sends files in one request. `XMLHttpRequest`, because `fetch` does not tell how far a body is. */
export async function sendBatch({
  shareId,
  files,
  signal,
  onProgress,
}: {
  shareId: string
  files: readonly BatchedFile[]
  signal: AbortSignal
  /** Bytes of the files that have left, all together. */
  onProgress: (bytes: number) => void
}): Promise<BatchOutcome> {
  const head = encodeManifest(
    files.map(({ entry, fileId }) => ({ id: fileId, ...describeFile({ entry }) })),
  )
  const contents = files.map(async ({ entry }) => (await entry.sealed?.whole()) ?? entry.file)
  const sent = await Promise.all(contents).catch(() => null)
  // One of them cannot be read, or it is not wanted any more.
  if (sent === null || signal.aborted) return { status: 0, code: null, body: null }
  const body = new Blob([head, ...sent], { type: BATCH_TYPE })
  const request = new XMLHttpRequest()
  return new Promise((resolve) => {
    request.open('POST', `/api/shares/${encodeURIComponent(shareId)}/files/batch`)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded }) => onProgress(Math.max(0, loaded - head.length))
    request.onloadend = () => {
      signal.removeEventListener('abort', abort)
      const { status, response } = request
      const code = status === 0 ? null : request.getResponseHeader(ERROR_CODE_HEADER)
      resolve({ status, code, body: response })
    }
    const abort = () => request.abort()
    signal.addEventListener('abort', abort)
    request.send(body)
  })
}

/** The files that this device no longer lets the page read. */
export async function findUnreadable<T extends BatchedFile>(files: readonly T[]): Promise<T[]> {
  const readable = await Promise.all(
    files.map(({ entry: { file } }) =>
      file
        .slice(0, 1)
        .arrayBuffer()
        .then(
          () => true,
          () => false,
        ),
    ),
  )
  return files.filter((_, index) => readable[index] === false)
}
