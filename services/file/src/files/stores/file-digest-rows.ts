import type { Database } from '@floe/db'
import type { FileDigests } from '../domain/file-ports.ts'
import { type FileRow, toFile } from './file-row.ts'

export function createFileDigests({ knex, query }: Pick<Database, 'knex' | 'query'>): FileDigests {
  return {
    listUnhashed: async (shareUid, limit) => {
      const rows = await knex<FileRow & { share_uid: string }>('files')
        .where({ share_uid: shareUid })
        .whereNull('sha256')
        .whereNull('purge_at')
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
  }
}
