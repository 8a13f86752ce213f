import type { Database } from '@floe/db'
import type { FileEdits } from '../domain/file-ports.ts'
import type { FileRow } from './file-row.ts'
import { changeCounted, releaseBytes } from './release-bytes.ts'

type ChangedRow = Pick<FileRow, 'object_key' | 'size_bytes'>

const changedColumns = ['object_key', 'size_bytes']

export function createFileEdits(database: Pick<Database, 'knex' | 'query'>): FileEdits {
  return {
    remove: ({ shareUid, edition, isPublished }, fileId) =>
      changeCounted(database, async (trx) => {
        const ofFile = { share_uid: shareUid, id: fileId, removed_edition: null }
        // Uploads before files, as in every transaction on both: no two can wait for each other.
        await trx('uploads')
          .where({ share_uid: shareUid, file_id: fileId })
          .whereNotNull('finished_at')
          .delete()
        const [kept] = await trx('files')
          .where(ofFile)
          .where('added_edition', isPublished ? '<=' : '<', edition)
          .update({ removed_edition: edition })
          .returning<ChangedRow[]>(changedColumns)
        const [deleted] = kept
          ? []
          : await trx('files').where(ofFile).delete().returning<ChangedRow[]>(changedColumns)
        const removed = kept ?? deleted
        if (!removed) return null
        const { size_bytes: sizeBytes } = removed
        await releaseBytes(trx, shareUid, {
          ofShare: sizeBytes,
          // Visitors read on what was published, so it takes its space until it is purged.
          stored: kept ? 0 : sizeBytes,
        })
        return { unusedKey: deleted?.object_key ?? null }
      }),

    discardChanges: ({ shareUid, edition }) =>
      changeCounted(database, async (trx) => {
        const ofShare = { share_uid: shareUid }
        const added = trx('files').where(ofShare).where('added_edition', '>', edition)
        await trx('uploads')
          .where(ofShare)
          .whereNotNull('finished_at')
          .whereIn('file_id', added.clone().select('id'))
          .delete()
        const deleted = await added.clone().delete().returning<ChangedRow[]>(changedColumns)
        const kept = await trx('files')
          .where(ofShare)
          .where('removed_edition', '>', edition)
          .update({ removed_edition: null })
          .returning<ChangedRow[]>(changedColumns)
        await releaseBytes(trx, shareUid, {
          ofShare: totalBytes(deleted) - totalBytes(kept),
          stored: totalBytes(deleted),
        })
        return deleted.map(({ object_key: objectKey }) => objectKey)
      }),
  }
}

function totalBytes(rows: readonly ChangedRow[]): number {
  return rows.reduce((sum, { size_bytes: sizeBytes }) => sum + sizeBytes, 0)
}
