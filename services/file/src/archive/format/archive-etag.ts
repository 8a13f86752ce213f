import { createHash } from 'node:crypto'
import { ARCHIVE_FORMAT, type ArchiveEntry, type ArchiveLayout } from '@floe/archive'
import type { ObjectKey } from '@floe/storage'

export interface TaggedEntry extends Pick<ArchiveEntry<ObjectKey>, 'segment'> {
  fileId: string
}

/**
 * Strong entity tag of an archive with its quotes; equal only for equal bytes. What a file holds
 * never changes, so that its id and its CRC-32 stand for it.
 */
export function archiveEtag(
  entries: readonly TaggedEntry[],
  { names, sizes, crcs, unixTimes, dosTimes, localStarts }: ArchiveLayout,
): string {
  const hash = createHash('sha256').update(ARCHIVE_FORMAT)
  hash.update(entries.map((entry) => entry.fileId).join('\n'))
  for (const column of [names, sizes, crcs, unixTimes, dosTimes, localStarts]) hash.update(column)
  // Deflating again may give other bytes of the same length, so each segment counts by its key.
  for (const [index, { segment }] of entries.entries()) {
    if (segment !== undefined) hash.update(`\n${index} ${segment.objectKey}`)
  }
  return `"${hash.digest('base64url').slice(0, 27)}"`
}
