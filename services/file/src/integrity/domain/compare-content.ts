import type { ObjectStore } from '@floe/storage'
import { digestInflated, digestObject } from './digest-object.ts'
import type { RegisteredObject } from './object-register.ts'

/** Whether the bytes at rest are those that the row tells; true where it tells nothing of them. */
export async function holdsContent(
  objects: ObjectStore,
  object: RegisteredObject,
  signal: AbortSignal,
): Promise<boolean> {
  const { key, sizeBytes, crc32, sha256, inflated } = object
  if (inflated !== null) {
    // One that is still being made ends in the middle.
    if (!object.isExact) return true
    const found = await digestInflated(objects, key, { signal }).catch(rejectAllButCorrupt)
    return found?.sizeBytes === inflated.sizeBytes && found.crc32 === inflated.crc32
  }
  if (crc32 === null || sizeBytes === 0) return true
  const found = await digestObject(objects, key, { endBytes: sizeBytes, signal })
  return (
    found?.sizeBytes === sizeBytes &&
    found.crc32 === crc32 &&
    (sha256 === null || found.sha256.equals(sha256))
  )
}

/** zlib names what it cannot inflate with codes such as Z_DATA_ERROR. */
function rejectAllButCorrupt(error: unknown): null {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && code.startsWith('Z_')) return null
  throw error
}
