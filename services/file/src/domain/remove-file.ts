import type { FileServiceParts } from './parts.ts'
import type { ShareEdition } from './ports.ts'

/**
 * Takes a file out of the edition that is being worked on. Visitors read a published file on until
 * that edition is published, so its object stays; any other goes at once.
 * False if the edition has no such file.
 */
export async function removeFile(
  { files, segments, objects }: Pick<FileServiceParts, 'files' | 'segments' | 'objects'>,
  working: ShareEdition,
  fileId: string,
): Promise<boolean> {
  const { shareUid } = working
  const segmentKeys = await segments.objectKeysOfFiles([{ shareUid, id: fileId }])
  const removed = await files.remove(working, fileId)
  if (removed === null) return false
  // A crash right here leaves an orphan, which the next reconciliation takes.
  if (removed.unusedKey !== null) await objects.remove([removed.unusedKey, ...segmentKeys])
  return true
}
