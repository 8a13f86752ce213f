import type { Database } from '@floe/db'
import type { DownloadCountStore } from '../domain/download-ports.ts'

/** What an edition ($2) of a share ($1) has: the rows of its archive and of its files. */
const ofEdition = `share_uid = $1 and (file_id is null or exists (
  select from files where files.share_uid = $1 and files.id = download_counts.file_id
    and added_edition <= $2::int and (removed_edition is null or removed_edition > $2::int)))`

// In the same order everywhere, so that no two processes wait for each other.
const addCounts = `
  with counted as (
    select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::int[], $5::timestamptz[])
      as counted (share_uid, file_id, hour, count, last_at)
  ), of_files as (
    insert into download_counts (share_uid, file_id, hour, count, last_at)
    select counted.* from counted
      join files on files.share_uid = counted.share_uid and files.id = counted.file_id
    order by counted.share_uid, counted.file_id, counted.hour
    on conflict (share_uid, file_id, hour) where file_id is not null do update set
      count = download_counts.count + excluded.count,
      last_at = greatest(download_counts.last_at, excluded.last_at)
  )
  insert into download_counts (share_uid, file_id, hour, count, last_at)
  select counted.* from counted join share_totals using (share_uid)
  where file_id is null
  order by counted.share_uid, counted.hour
  on conflict (share_uid, hour) where file_id is null do update set
    count = download_counts.count + excluded.count,
    last_at = greatest(download_counts.last_at, excluded.last_at)`

export function createDownloadCountStore({ query }: Pick<Database, 'query'>): DownloadCountStore {
  return {
    add: async (counts) => {
      await query({
        name: 'add-download-counts',
        text: addCounts,
        values: [
          counts.map(({ shareUid }) => shareUid),
          counts.map(({ fileId }) => fileId),
          counts.map(({ hour }) => hour),
          counts.map(({ count }) => count),
          counts.map(({ lastAt }) => lastAt),
        ],
      })
    },

    totals: async ({ shareUid, edition }) => {
      const rows = await query<{ file_id: string | null; total: number; last_at: Date }>({
        name: 'total-download-counts',
        text: `select file_id, sum(count)::bigint as total, max(last_at) as last_at
               from download_counts where ${ofEdition} group by file_id`,
        values: [shareUid, edition],
      })
      return rows.map((row) => ({ fileId: row.file_id, total: row.total, lastAt: row.last_at }))
    },

    hours: ({ shareUid, edition }, { since, only }) =>
      query<{ hour: Date; count: number }>({
        name: 'download-counts-by-hour',
        text: `select hour, sum(count)::bigint as count from download_counts
               where ${ofEdition} and hour >= $3::timestamptz
                 and (not $4::boolean or file_id is not distinct from $5::uuid)
               group by hour order by hour`,
        values: [shareUid, edition, since, only !== undefined, only ?? null],
      }),
  }
}
