import { beginning, type ObjectStore, type Position } from '@floe/storage'
import { type Checkpoint, isComplete, type Upload } from './upload.ts'

/**
 * Where the trusted bytes end. After a killed process the object may hold more than the last
 * checkpoint tells: those bytes are taken, unless a promised checksum was never verified.
 */
export async function findEnd(
  objects: Pick<ObjectStore, 'recover'>,
  upload: Upload,
  bootId: string,
): Promise<Position> {
  const { checkpoint, lengthBytes, objectKey } = upload
  if (isComplete(upload)) return checkpoint
  return objects.recover(objectKey, {
    noted: { offsetBytes: checkpoint.offsetBytes, crc32: checkpoint.crc32 },
    flushed: syncedPosition(checkpoint),
    isSameBoot: checkpoint.bootId === bootId,
    takesMore: !checkpoint.discardsUnverified,
    expectedBytes: lengthBytes,
  })
}

/** The bytes that survive the loss of the machine; none where they end past `start`. */
export function syncedPosition(
  { syncedBytes, syncedCrc32 }: Checkpoint,
  start?: Position,
): Position {
  if (start && syncedBytes > start.offsetBytes) return beginning
  return { offsetBytes: syncedBytes, crc32: syncedCrc32 }
}
