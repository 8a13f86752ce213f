import type { ObjectStore } from '@floe/storage'
import type { LeaseKeeper, LeasePurpose } from './lease-keeper.ts'
import { OpenUpload, type OpenUploadDependencies } from './open-upload.ts'
import { createPausedUploads, type PausedUpload } from './paused-uploads.ts'
import { createReceivedNotes } from './received-notes.ts'
import { findEnd } from './stored-position.ts'
import type { UploadProgress } from './upload-ports.ts'

export interface UploadsOptions extends Omit<
  OpenUploadDependencies,
  'paused' | 'objects' | 'store' | 'noteReceived'
> {
  store: OpenUploadDependencies['store'] & Pick<UploadProgress, 'noteReceived'>
  objects: ObjectStore
  leases: Pick<LeaseKeeper, 'acquire'>
}

/** Moves bytes from requests into objects, and always knows how many are safely there. */
export interface Uploads {
  /**
   * Takes the upload over from the request that writes to it, to `append` only from one whose sender
   * is not heard any more, and finds out where its bytes end.
   */
  open(uploadId: string, purpose: Exclude<LeasePurpose, 'end'>): Promise<OpenUpload>
  /** Held here since the request before: it is there, and nobody need be asked. */
  isPaused(uploadId: string): boolean
}

export function createUploads(options: UploadsOptions): Uploads {
  const { store, objects, leases, bootId } = options
  const paused = createPausedUploads({ letGo: (upload) => letGo(store, upload) })
  const dependencies: OpenUploadDependencies = {
    ...options,
    paused,
    noteReceived: createReceivedNotes(options),
  }
  return {
    isPaused: paused.has,
    open: async (uploadId, purpose) => {
      const waiting = paused.take(uploadId)
      if (waiting) {
        if (purpose === 'append') waiting.lease.hear()
        const { offsetBytes, crc32 } = waiting.upload.checkpoint
        const held = { ...waiting, paused: waiting }
        return new OpenUpload(dependencies, held, { offsetBytes, crc32 })
      }
      const lease = await leases.acquire(uploadId, purpose)
      try {
        const { upload } = lease
        const position = await findEnd(objects, upload, bootId)
        return new OpenUpload(dependencies, { lease, upload, paused: null }, position)
      } catch (error) {
        await lease.end({ rowReleased: false })
        throw error
      }
    },
  }
}

/** Ends a pause after which no next request came. */
async function letGo(
  store: Pick<UploadProgress, 'saveCheckpoint'>,
  { upload, lease, writer }: PausedUpload,
): Promise<void> {
  let rowReleased = false
  try {
    await writer.close()
    await store.saveCheckpoint(lease, upload.checkpoint, { release: true, durable: false })
    rowReleased = true
  } catch {
    // The bytes are in the object, where the next request that opens it finds them.
  } finally {
    await lease.end({ rowReleased })
  }
}
