import type { SegmentRetirement } from '../domain/segment-ports.ts'
import type { SegmentStoreOptions } from './segment-store.ts'

export function createSegmentRetirement({
  database: { knex, query },
  clock,
}: Pick<SegmentStoreOptions, 'database' | 'clock'>): SegmentRetirement {
  return {
    retire: async (shares) => {
      await query({
        name: 'retire-segments',
        text: retireStatement,
        values: [shares.map(({ shareUid }) => shareUid), shares.map(({ level }) => level), clock()],
      })
    },

    removeRetired: async ({ before, limit }) => {
      const rows = await query<{ object_key: string | null }>({
        name: 'remove-retired-segments',
        text: `delete from archive_segments using (
                 select share_uid, file_id, level from archive_segments
                 where retired_at < $1::timestamptz limit $2 for update
               ) as retired
               where archive_segments.share_uid = retired.share_uid
                 and archive_segments.file_id = retired.file_id
                 and archive_segments.level = retired.level
               returning archive_segments.object_key`,
        values: [before, limit],
      })
      return { removed: rows.length, unusedKeys: rows.flatMap((row) => row.object_key ?? []) }
    },

    forget: async (objectKeys) => {
      await knex('archive_segments').whereIn('object_key', objectKeys).delete()
    },
  }
}

const retireStatement = `
  update archive_segments as segment
  set retired_at = case when segment.level = share.level then null else $3::timestamptz end
  from unnest($1::uuid[], $2::int[]) as share (share_uid, level)
  where segment.share_uid = share.share_uid
    and (segment.level = share.level) = (segment.retired_at is not null)`
