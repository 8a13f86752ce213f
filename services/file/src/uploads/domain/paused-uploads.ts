import type { ObjectWriter } from '@floe/storage'
import type { HeldLease } from './lease-keeper.ts'
import type { UploadTarget } from './upload-targets.ts'
import type { Upload } from './upload.ts'

/** An upload between two requests of its sender: still held, its object still open. */
export interface PausedUpload {
  /** With a checkpoint that tells what the row does not know yet. */
  upload: Upload
  lease: HeldLease
  writer: ObjectWriter
  /** Where its bytes go, as it was last told. */
  target: UploadTarget
}

/** How long a sender may take from a response to the head of its next request. */
const PAUSE_MS = 1_000
/** Each holds an open file; beyond this the longest paused one is let go. */
const MOST_PAUSED = 200

/**
 * Keeps uploads that are sent in many small requests open from one to the next, which saves each
 * of them taking the lease, finding the end, opening the object and saving a checkpoint. Any
 * other request evicts a paused upload like any other holder; a killed process leaves it as it leaves
 * an upload amid a request, and its bytes are found the same way.
 */
export interface PausedUploads {
  /** Never fails; an upload that is wanted elsewhere already is let go at once. */
  keep(paused: PausedUpload): void
  /** The upload, once: from then on its taker has to end the lease and close the writer. */
  take(uploadId: string): PausedUpload | null
  has(uploadId: string): boolean
}

export function createPausedUploads({
  letGo,
  pauseMs = PAUSE_MS,
}: {
  /** Saves what the row does not know, closes the writer and ends the lease; never fails. */
  letGo: (paused: PausedUpload) => Promise<void>
  pauseMs?: number
}): PausedUploads {
  const kept = new Map<string, { paused: PausedUpload; forget: () => void }>()

  function take(uploadId: string): PausedUpload | null {
    const entry = kept.get(uploadId)
    if (!entry) return null
    kept.delete(uploadId)
    entry.forget()
    return entry.paused
  }

  function release(uploadId: string): void {
    const paused = take(uploadId)
    if (paused) void letGo(paused)
  }

  return {
    take,
    has: (uploadId) => kept.has(uploadId),
    keep(paused) {
      const { id } = paused.upload
      const { signal } = paused.lease
      paused.lease.rest()
      if (signal.aborted) return void letGo(paused)
      const end = () => release(id)
      const timer = setTimeout(end, pauseMs)
      signal.addEventListener('abort', end)
      kept.set(id, {
        paused,
        forget: () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
        },
      })
      const [oldest] = kept.keys()
      if (kept.size > MOST_PAUSED && oldest !== undefined) release(oldest)
    },
  }
}
