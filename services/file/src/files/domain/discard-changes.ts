import type { FileServiceParts } from '../../parts.ts'
import type { ShareEdition } from './file-ports.ts'

/**
 * Gives up an edit: what was added since `published` goes, transfers under way included, and what
 * was removed stays. Published files and downloads of them never notice. Of segments there are
 * none, since they are made of published files alone.
 */
export async function discardChanges(
  parts: Pick<FileServiceParts, 'store' | 'discard' | 'files' | 'thumbnails' | 'objects'>,
  published: ShareEdition,
): Promise<void> {
  const { store, discard, files, thumbnails, objects } = parts
  for (const uploadId of await store.unfinishedIdsOf(published.shareUid)) {
    await discard(uploadId, { unfinishedOnly: true })
  }
  // A crash right here leaves orphans, which the next reconciliation takes.
  const thumbnailKeys = await thumbnails.objectKeysAddedAfter(published)
  await objects.remove([...(await files.discardChanges(published)), ...thumbnailKeys])
}
