import { isAppError } from '@floe/errors'
import type { ObjectReader, ObjectStore, ObjectWriter } from '@floe/storage'
import type { ClaimedSegment } from './segment-ports.ts'

/** The next step's bytes of the file; null if its object is missing. */
export async function openSource(
  objects: ObjectStore,
  { file, progress }: ClaimedSegment,
  stepBytes: number,
): Promise<ObjectReader | null> {
  const start = progress.sourceBytes
  const end = Math.min(file.sizeBytes, start + stepBytes)
  return objects.openReader(file.objectKey, { start, end }).catch((error: unknown) => {
    if (isAppError(error, 'file_not_found')) return null
    throw error
  })
}

/** Null if what was written before is gone. */
export async function openTarget(
  objects: ObjectStore,
  { objectKey, token, progress }: ClaimedSegment,
): Promise<ObjectWriter | null> {
  const { targetBytes: offsetBytes } = progress
  if (offsetBytes === 0) {
    // What an earlier claim left there before it saved anything.
    if (token > 1) await objects.remove([objectKey])
    await objects.create(objectKey)
  }
  return objects.openWriter(objectKey, { offsetBytes }).catch((error: unknown) => {
    const isGone =
      isAppError(error, 'file_not_found') || isAppError(error, 'upload_offset_conflict')
    if (offsetBytes > 0 && isGone) return null
    throw error
  })
}
