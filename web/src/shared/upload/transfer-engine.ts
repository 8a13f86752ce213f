import type { HttpClient } from '../api/http-client.ts'
import { createBatchSender } from './batch-sender.ts'
import type { TransferEngine } from './transfer.ts'
import { createTusEngine } from './tus-engine.ts'

/** Large files by tus, each by itself; small ones in batches. */
export function createTransferEngine(http: HttpClient): TransferEngine {
  const beforeRequest = http.ensureFresh
  const tus = createTusEngine({ beforeRequest })
  const batches = createBatchSender({
    beforeRequest,
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
