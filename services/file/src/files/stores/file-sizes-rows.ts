import type { Database } from '@floe/db'
import type { FileSizes } from '../domain/file-ports.ts'
import { inEdition } from './file-row.ts'

export function createFileSizes({ query }: Pick<Database, 'query'>): FileSizes {
  return {
    measureEdition: async ({ shareUid, edition }) => {
      const [row] = await query<{ file_count: number; size_bytes: number }>({
        name: 'measure-edition',
        text: `select count(*) as file_count, coalesce(sum(size_bytes), 0)::bigint as size_bytes
               from files where ${inEdition}`,
        values: [shareUid, edition],
      })
      return { fileCount: row?.file_count ?? 0, sizeBytes: row?.size_bytes ?? 0 }
    },

    sumSizes: async () => {
      const [row] = await query<{ size_bytes: number }>({
        name: 'sum-files',
        text: 'select coalesce(sum(size_bytes), 0)::bigint as size_bytes from files',
        values: [],
      })
      return row?.size_bytes ?? 0
    },

    measure: async (shareUids) => {
      const rows = await query<{ share_uid: string; file_count: number; size_bytes: number }>({
        name: 'measure-shares',
        text: `select wanted.share_uid, count(files.id) as file_count,
                 coalesce(sum(files.size_bytes), 0)::bigint as size_bytes
               from unnest($1::uuid[]) as wanted (share_uid)
               left join files on files.share_uid = wanted.share_uid and removed_edition is null
               group by wanted.share_uid`,
        values: [[...new Set(shareUids)]],
      })
      return rows.map((row) => ({
        shareUid: row.share_uid,
        fileCount: row.file_count,
        sizeBytes: row.size_bytes,
      }))
    },
  }
}
