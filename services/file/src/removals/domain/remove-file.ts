import type { ObjectStore } from '@floe/storage'
import type { SegmentListing } from '../../archive/domain/segment-ports.ts'
import type { ThumbnailListing } from '../../thumbnails/domain/thumbnail-ports.ts'
import type { FileEdits, WorkingEdition } from '../../files/domain/file-ports.ts'

export interface FileRemovalDependencies {
  files: Pick<FileEdits, 'remove'>
  segments: Pick<SegmentListing, 'objectKeysOfFiles'>
  thumbnails: Pick<ThumbnailListing, 'objectKeysOfFiles'>
  objects: Pick<ObjectStore, 'remove'>
}

/**
 * Takes a file out of the edition that is being worked on. The object of a file that visitors could
 * read stays for their downloads; any other goes at once.
 * False if the edition has no such file.
 */
export async function removeFile(
  dependencies: FileRemovalDependencies,
  working: WorkingEdition,
  fileId: string,
): Promise<boolean> {
  const { files, segments, thumbnails, objects } = dependencies
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
