import { DEFAULT_CHUNK_BYTES, type PublicSettings } from '@floe/contracts'
import { hasCode } from '../api/api-error.ts'
import type { HttpClient } from '../api/http-client.ts'
import { createBatchSender } from './batch-sender.ts'
import { deleteUpload } from './delete-upload.ts'
import { createRememberedLimit, type RememberedLimit } from './request-limit.ts'
import type { TransferEngine } from './transfer.ts'
import { createTusEngine } from './tus-engine.ts'

type ChunkSetting = Pick<PublicSettings, 'share.chunkSize'>

/** What a request may be at most, as far as is known. */
export function readLimit({ 'share.chunkSize': chunkBytes }: ChunkSetting): RememberedLimit {
  return createRememberedLimit({
    storage: window.localStorage,
    now: () => Date.now(),
    ...(chunkBytes !== DEFAULT_CHUNK_BYTES && { mostBytes: chunkBytes }),
  })
}

/** Large files by tus, each by itself; small ones in batches. */
export function createTransferEngine(http: HttpClient, settings: ChunkSetting): TransferEngine {
  const beforeRequest = http.ensureFresh
  const limit = readLimit(settings)
  const tus = createTusEngine({ beforeRequest, limit })
  const removeFile = async (shareId: string, fileId: string) => {
    const path = `/api/shares/${encodeURIComponent(shareId)}/files/${encodeURIComponent(fileId)}`
    await http.request({ method: 'DELETE', path })
  }
  const batches = createBatchSender({ beforeRequest, limit, sendAlone: tus.start, removeFile })
  return {
    start: tus.start,
    startBatch: batches.start,
    async remove({ share, fileId, url }) {
      try {
        // An upload that is ended after its last byte takes its file along.
        await (url === null ? removeFile(share.id, fileId) : deleteUpload(http, url))
      } catch (error) {
        // The response to an earlier attempt was lost.
        if (!hasCode(error, 'file_not_found') && !hasCode(error, 'upload_not_found')) throw error
      }
    },
    settled: batches.settled,
    close() {
      tus.close()
      batches.close()
    },
  }
}
