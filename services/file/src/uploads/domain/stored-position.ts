import { crc32 as updateCrc32 } from 'node:zlib'
import type { ObjectStore } from '@floe/storage'
import { type Checkpoint, isComplete, type Upload } from './upload.ts'

/** Where bytes end, and the CRC-32 of all of them. */
export interface Position {
  offsetBytes: number
  crc32: number
}

const beginning: Position = { offsetBytes: 0, crc32: 0 }

/**
 * Where the trusted bytes end. After a killed process the object may hold more than the last
 * checkpoint tells: those bytes are adopted by running the checksum over them, unless a promised
 * checksum was never verified or the machine itself went down with them unsynced.
 */
export async function findEnd(
  objects: ObjectStore,
  upload: Upload,
  bootId: string,
): Promise<Position> {
  const { checkpoint } = upload
  if (isComplete(upload)) return checkpoint
  const synced = await objects.syncedEnd(upload.objectKey)
  // What was never verified begins where the row says; all else is as safe as the object knows.
  if (synced !== null) return checkpoint.discardsUnverified ? earlierOf(checkpoint, synced) : synced
  const isSameBoot = checkpoint.bootId === bootId
  const trusted = isSameBoot ? checkpoint : syncedPosition(checkpoint)
  const storedBytes = await objects.storedBytes(upload.objectKey)
  if (storedBytes === null) {
    const planned = upload.lengthBytes === null ? {} : { expectedBytes: upload.lengthBytes }
    await objects.create(upload.objectKey, planned)
    return beginning
  }
  if (storedBytes < trusted.offsetBytes) {
    return adoptBytes(objects, upload, beginning, storedBytes)
  }
  if (storedBytes === trusted.offsetBytes || !isSameBoot || checkpoint.discardsUnverified) {
    return trusted
  }
  const end = Math.min(storedBytes, upload.lengthBytes ?? storedBytes)
  return adoptBytes(objects, upload, trusted, end)
}

/** The bytes that survive the loss of the machine; none where they end past `start`. */
export function syncedPosition(
  { syncedBytes, syncedCrc32 }: Checkpoint,
  start?: Position,
): Position {
  if (start && syncedBytes > start.offsetBytes) return beginning
  return { offsetBytes: syncedBytes, crc32: syncedCrc32 }
}

function earlierOf(one: Position, other: Position): Position {
  const { offsetBytes, crc32 } = one.offsetBytes <= other.offsetBytes ? one : other
  return { offsetBytes, crc32 }
}

async function adoptBytes(
  objects: ObjectStore,
  { objectKey }: Upload,
  from: Position,
  endBytes: number,
): Promise<Position> {
  const reader = await objects.openReader(objectKey)
  try {
    const buffer = Buffer.allocUnsafe(1024 * 1024)
    let { offsetBytes, crc32 } = from
    while (offsetBytes < endBytes) {
      const wanted = buffer.subarray(0, Math.min(buffer.length, endBytes - offsetBytes))
      const bytes = await reader.read(wanted, offsetBytes)
      if (bytes === 0) break
      crc32 = updateCrc32(wanted.subarray(0, bytes), crc32)
      offsetBytes += bytes
    }
    return { offsetBytes, crc32 }
  } finally {
    await reader.close()
  }
}
