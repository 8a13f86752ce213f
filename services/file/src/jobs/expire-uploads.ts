import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { FileServiceParts } from '../domain/parts.ts'
import { isComplete } from '../domain/upload.ts'

const BATCH = 200

/**
 * Abandoned uploads go with their bytes. A finished one is only forgotten: by now its object is a
 * file, and the file stays. A partial upload never became one, so it goes either way.
 */
export function expireUploads({ store, discard }: FileServiceParts): JobConsumer {
  return consume(jobs.expireUploads, async (_payload, { signal }) => {
    for (;;) {
      const expired = await store.listExpired(BATCH)
      for (const upload of expired) {
        signal.throwIfAborted()
        if (isComplete(upload) && upload.kind !== 'partial') await store.forget(upload.id)
        else await discard(upload.id)
      }
      if (expired.length < BATCH) return
    }
  })
}
