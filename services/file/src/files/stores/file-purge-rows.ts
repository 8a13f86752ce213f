import type { Database } from '@floe/db'
import { chargeSql } from '../../quotas/stores/storage-usage-store.ts'
import type { FilePurges } from '../domain/file-ports.ts'
import type { FileRow } from './file-row.ts'

export function createFilePurges({ query }: Pick<Database, 'query'>): FilePurges {
  return {
    sharesWithRemovedFiles: async ({ after, limit }) => {
      const rows = await query<{ share_uid: string }>({
        name: 'page-of-shares-with-removed-files',
        text: `select distinct share_uid from files
               where removed_edition is not null and purge_at is null
                 and ($1::uuid is null or share_uid > $1::uuid)
               order by share_uid limit $2`,
        values: [after, limit],
      })
      return rows.map((row) => row.share_uid)
    },

    schedulePurge: async (published, purgeAt) => {
      await query({
        name: 'schedule-purge',
        text: `update files set purge_at = $3::timestamptz
               from unnest($1::uuid[], $2::int[]) as published (share_uid, edition)
               where files.share_uid = published.share_uid and purge_at is null
                 and removed_edition <= published.edition`,
        values: [
          published.map(({ shareUid }) => shareUid),
          published.map(({ edition }) => edition),
          purgeAt,
        ],
      })
    },

    listPurgeable: async ({ now, limit }) => {
      const rows = await query<Pick<FileRow, 'id' | 'object_key'> & { share_uid: string }>({
        name: 'list-purgeable-files',
        text: `select share_uid, id, object_key from files
               where removed_edition is not null and purge_at <= $1::timestamptz limit $2`,
        values: [now, limit],
      })
      return rows.map((row) => ({
        shareUid: row.share_uid,
        id: row.id,
        objectKey: row.object_key,
      }))
    },

    purge: async (purged) => {
      await query({
        name: 'purge-files',
        // Removed files count for nothing in their share already.
        text: `with mode as (select set_config('synchronous_commit', 'off', true)), deleted as (
                 delete from files
                 using mode, unnest($1::uuid[], $2::uuid[]) as purged (share_uid, id)
                 where files.share_uid = purged.share_uid and files.id = purged.id
                   and purge_at is not null
                 returning files.share_uid, size_bytes
               ), charge as (
                 select charged_to, -size_bytes as bytes
                 from deleted join share_totals using (share_uid)
               ) ${chargeSql('charge')}`,
        values: [purged.map(({ shareUid }) => shareUid), purged.map(({ id }) => id)],
      })
    },
  }
}
