import type { ObjectStore } from '@floe/storage'
import type { DiscardUpload } from '../../uploads/domain/discard-upload.ts'
import type { UploadRecords } from '../../uploads/domain/upload-ports.ts'
import type { ThumbnailListing } from '../../thumbnails/domain/thumbnail-ports.ts'
import type { FileEdits, ShareEdition } from './file-ports.ts'

export interface DiscardChangesDependencies {
  uploads: Pick<UploadRecords, 'unfinishedIdsOf'>
  discard: DiscardUpload
  files: Pick<FileEdits, 'discardChanges'>
  thumbnails: Pick<ThumbnailListing, 'objectKeysAddedAfter'>
  objects: Pick<ObjectStore, 'remove'>
}

/**
 * Gives up an edit: what was added since `published` goes, transfers under way included, and what
 * was removed stays. Published files and downloads of them never notice. It has no segments,
 * since they are made of published files alone.
 */
export async function discardChanges(
  { uploads, discard, files, thumbnails, objects }: DiscardChangesDependencies,
  published: ShareEdition,
): Promise<void> {
  for (const uploadId of await uploads.unfinishedIdsOf(published.shareUid)) {
    await discard(uploadId, { unfinishedOnly: true })
  }
  // A crash right here leaves orphans, which the next reconciliation takes.
  const thumbnailKeys = await thumbnails.objectKeysAddedAfter(published)
  await objects.remove([...(await files.discardChanges(published)), ...thumbnailKeys])
}
