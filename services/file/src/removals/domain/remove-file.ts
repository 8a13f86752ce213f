import type { FileServiceParts } from '../../parts.ts'
import type { ShareEdition } from '../../files/domain/file-ports.ts'

/**
 * Takes a file out of the edition that is being worked on. Visitors read a published file on until
 * that edition is published, so its object stays; any other goes at once.
 * False if the edition has no such file.
 */
export async function removeFile(
  parts: Pick<FileServiceParts, 'files' | 'segments' | 'thumbnails' | 'objects'>,
  working: ShareEdition,
  fileId: string,
): Promise<boolean> {
  const { files, segments, thumbnails, objects } = parts
  const file = [{ shareUid: working.shareUid, id: fileId }]
  const segmentKeys = await segments.objectKeysOfFiles(file)
  const thumbnailKeys = await thumbnails.objectKeysOfFiles(file)
  const removed = await files.remove(working, fileId)
  if (removed === null) return false
  // A crash right here leaves an orphan, which the next reconciliation takes.
  if (removed.unusedKey !== null) {
    await objects.remove([removed.unusedKey, ...segmentKeys, ...thumbnailKeys])
  }
  return true
}
