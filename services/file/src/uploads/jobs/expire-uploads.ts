import type { DiscardUpload } from '../domain/discard-upload.ts'
import type { UploadRecords } from '../domain/upload-ports.ts'
import { jobs } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { consume, type JobConsumer } from '@floe/runtime'
import { isComplete, type Upload } from '../domain/upload.ts'

const BATCH = 200

export interface ExpiryDependencies {
  store: Pick<UploadRecords, 'listExpired' | 'forget'>
  discard: DiscardUpload
}

/**
 * Abandoned uploads go with their bytes. A finished one is only forgotten: by now its object is a
 * file, and the file stays. A partial upload never became one, so it goes either way. One that
 * cannot be removed now does not keep the others from it; the job fails in the end.
 */
export function expireUploads(dependencies: ExpiryDependencies): JobConsumer {
  return consume(jobs.expireUploads, async (_payload, { signal }) => {
    const failures: unknown[] = []
    for (;;) {
      const expired = await dependencies.store.listExpired(BATCH)
      const before = failures.length
      for (const upload of expired) {
        signal.throwIfAborted()
        await expire(dependencies, upload).catch((error: unknown) => failures.push(error))
      }
      if (expired.length < BATCH || failures.length - before === expired.length) break
    }
    if (failures.length > 0) {
      throw new AppError('internal', {
        cause: failures[0],
        detail: `${failures.length} abandoned uploads could not be removed`,
      })
    }
  })
}

async function expire({ store, discard }: ExpiryDependencies, upload: Upload): Promise<void> {
  if (upload.kind === 'partial') await discard(upload.id)
  else if (isComplete(upload)) await store.forget(upload.id)
  // Its sender may have come back and finished it since the list was made.
  else await discard(upload.id, { unfinishedOnly: true, isGivenUp: true })
}
