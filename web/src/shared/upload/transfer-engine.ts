import { DEFAULT_CHUNK_BYTES, type Settings } from '@floe/contracts'
import type { HttpClient } from '../api/http-client.ts'
import { createBatchSender } from './batch-sender.ts'
import { createRequestLimit } from './request-limit.ts'
import type { TransferEngine } from './transfer.ts'
import { createTusEngine } from './tus-engine.ts'

/** Large files by tus, each by itself; small ones in batches. */
export function createTransferEngine(
  http: HttpClient,
  { 'share.chunkSize': chunkBytes }: Pick<Settings, 'share.chunkSize'>,
): TransferEngine {
  const beforeRequest = http.ensureFresh
  const limit = createRequestLimit({
    storage: window.localStorage,
    now: () => Date.now(),
    ...(chunkBytes !== DEFAULT_CHUNK_BYTES && { mostBytes: chunkBytes }),
  })
  const tus = createTusEngine({ beforeRequest, limit })
  const batches = createBatchSender({
    beforeRequest,
    limit,
    sendAlone: tus.start,
    removeFile: async (shareId, fileId) => {
      const path = `/api/shares/${encodeURIComponent(shareId)}/files/${encodeURIComponent(fileId)}`
      await http.request({ method: 'DELETE', path })
    },
  })
  return {
    start: tus.start,
    startBatch: batches.start,
    settled: batches.settled,
    close() {
      tus.close()
      batches.close()
    },
  }
}
