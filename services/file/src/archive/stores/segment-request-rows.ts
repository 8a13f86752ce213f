import { appendEvents, type Database } from '@floe/db'
import { newObjectKey } from '@floe/storage'
import type { SegmentRequests } from '../domain/segment-ports.ts'

export function createSegmentRequests({
  knex,
  query,
}: Pick<Database, 'knex' | 'query'>): SegmentRequests {
  return {
    request: (shareUid) =>
      knex.transaction((trx) =>
        appendEvents(trx, [{ name: 'archive.requested', payload: { shareUid } }]),
      ),

    want: async (shareUid, { level, files }) => {
      await query({
        name: 'want-segments',
        // A file deleted meanwhile needs none.
        text: `insert into archive_segments (share_uid, file_id, level, file_bytes, object_key)
               select $1::uuid, files.id, $2::int, files.size_bytes, wanted.object_key
               from unnest($3::uuid[], $4::text[]) as wanted (id, object_key)
               join files on files.share_uid = $1::uuid and files.id = wanted.id
               on conflict (share_uid, file_id, level) do nothing`,
        values: [shareUid, level, files.map(({ id }) => id), files.map(() => newObjectKey())],
      })
    },
  }
}
