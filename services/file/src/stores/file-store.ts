import type { Database } from '@floe/db'
import type { FileStore, ListedFile, StoredFile } from '../domain/ports.ts'

interface FileRow {
  id: string
  name: string
  size_bytes: number
  crc32: number
  sha256: Buffer | null
  object_key: string
  created_at: Date
}

const fileColumns = ['id', 'name', 'size_bytes', 'crc32', 'sha256', 'object_key', 'created_at']

export function createFileStore({ knex, query }: Database): FileStore {
  return {
    list: async (shareUid) => {
      const rows = await query<FileRow>({
        name: 'list-files',
        text: `select ${fileColumns.join(', ')} from files where share_uid = $1
               order by name collate "C", id`,
        values: [shareUid],
      })
      return rows.map(toFile)
    },

    listOfShares: async (shareUids) => {
      const rows = await query<Pick<FileRow, 'id' | 'name' | 'size_bytes'> & { share_uid: string }>(
        {
          name: 'list-files-of-shares',
          text: `select share_uid, id, name, size_bytes from files where share_uid = any($1::uuid[])
               order by name collate "C", id`,
          values: [shareUids],
        },
      )
      const byShare = new Map<string, ListedFile[]>()
      for (const { share_uid: uid, id, name, size_bytes: sizeBytes } of rows) {
        const listed = byShare.get(uid) ?? []
        byShare.set(uid, listed)
        listed.push({ id, name, sizeBytes })
      }
      return byShare
    },

    find: async (shareUid, fileId) => {
      const [row] = await query<FileRow>({
        name: 'find-file',
        text: `select ${fileColumns.join(', ')} from files where share_uid = $1 and id = $2`,
        values: [shareUid, fileId],
      })
      return row ? toFile(row) : null
    },

    // Computed, not counted: a counter would be one row that all parallel uploads wait for.
    revision: async (shareUid) => {
      const [row] = await query<{ revision: string }>({
        name: 'files-revision',
        text: `select concat_ws('-', count(*), sum(crc32), max(created_at)) as revision
               from files where share_uid = $1`,
        values: [shareUid],
      })
      return row?.revision ?? ''
    },

    measure: async (shareUids) => {
      const rows = await query<{ share_uid: string; file_count: number; size_bytes: number }>({
        name: 'measure-shares',
        text: `select wanted.share_uid, count(files.id) as file_count,
                 coalesce(sum(files.size_bytes), 0)::bigint as size_bytes
               from unnest($1::uuid[]) as wanted (share_uid)
               left join files using (share_uid) group by wanted.share_uid`,
        values: [[...new Set(shareUids)]],
      })
      return rows.map((row) => ({
        shareUid: row.share_uid,
        fileCount: row.file_count,
        sizeBytes: row.size_bytes,
      }))
    },

    remove: (shareUid, fileId) =>
      knex.transaction(async (trx) => {
        // Uploads before files, as in every transaction on both: no two can wait for each other.
        await trx('uploads')
          .where({ share_uid: shareUid, file_id: fileId })
          .whereNotNull('finished_at')
          .delete()
        const [row] = await trx<FileRow & { share_uid: string }>('files')
          .where({ share_uid: shareUid, id: fileId })
          .delete()
          .returning(['object_key', 'size_bytes'])
        if (!row) return null
        await trx('share_totals')
          .where({ share_uid: shareUid })
          .update({ reserved_bytes: trx.raw('reserved_bytes - ?::bigint', [row.size_bytes]) })
        return row.object_key
      }),

    listUnhashed: async (shareUid, limit) => {
      const rows = await knex<FileRow & { share_uid: string }>('files')
        .where({ share_uid: shareUid })
        .whereNull('sha256')
        .orderBy('id')
        .limit(limit)
      return rows.map(toFile)
    },

    saveDigests: async (shareUid, digests) => {
      await query({
        name: 'save-digests',
        text: `update files set sha256 = digest.sha256
               from unnest($2::uuid[], $3::bytea[]) as digest (id, sha256)
               where files.share_uid = $1 and files.id = digest.id`,
        values: [shareUid, digests.map((d) => d.fileId), digests.map((d) => d.sha256)],
      })
    },

    referencedKeys: async (keys) => {
      const rows = await query<{ object_key: string }>({
        name: 'referenced-keys',
        text: `select object_key from files where object_key = any($1)
               union select object_key from uploads where object_key = any($1)`,
        values: [keys],
      })
      return new Set(rows.map((row) => row.object_key))
    },

    objectKeysOf: async (shareUid) => {
      const rows = await query<{ object_key: string }>({
        name: 'object-keys-of-share',
        text: `select object_key from files where share_uid = $1
               union select object_key from uploads where share_uid = $1`,
        values: [shareUid],
      })
      return rows.map((row) => row.object_key)
    },

    removeShare: (shareUid) =>
      knex.transaction(async (trx) => {
        for (const table of ['uploads', 'files', 'share_totals']) {
          await trx(table).where({ share_uid: shareUid }).delete()
        }
      }),

    shareUids: async ({ after, limit }) => {
      const rows = await query<{ share_uid: string }>({
        name: 'page-of-share-uids',
        text: `select share_uid from share_totals
               where $1::uuid is null or share_uid > $1::uuid order by share_uid limit $2`,
        values: [after, limit],
      })
      return rows.map((row) => row.share_uid)
    },

    fileKeys: async ({ after, limit }) => {
      const rows = await query<{ object_key: string }>({
        name: 'page-of-file-keys',
        text: `select object_key from files
               where $1::text is null or object_key > $1::text order by object_key limit $2`,
        values: [after, limit],
      })
      return rows.map((row) => row.object_key)
    },
  }
}

function toFile(row: FileRow): StoredFile {
  return {
    id: row.id,
    name: row.name,
    sizeBytes: row.size_bytes,
    crc32: row.crc32,
    sha256: row.sha256,
    objectKey: row.object_key,
    createdAt: row.created_at,
  }
}
