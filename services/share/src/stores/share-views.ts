import { type Database, happeningSql } from '@floe/db'
import type { Knex } from 'knex'
import type { ShareStore } from '../domain/ports.ts'
import type { Share } from '../domain/share.ts'
import { toldOfShare } from './told-of-share.ts'

/** How often shares were opened, in all and by the hour. */
export function createShareViews({
  knex,
  query,
}: Pick<Database, 'knex' | 'query'>): Pick<ShareStore, 'countView' | 'viewHours'> {
  return {
    countView: (share, now) => countView(knex, share, now),
    viewHours: (uid, since) =>
      query<{ hour: Date; count: number }>({
        name: 'views-by-hour',
        text: `select hour, count from view_counts
               where share_uid = $1 and hour >= $2::timestamptz order by hour`,
        values: [uid, since],
      }),
  }
}

/** One view more, and one in its hour, unless the limit is reached: the statement is the check. */
export async function countView(
  knex: Knex,
  { uid, passwordHash }: Pick<Share, 'uid' | 'passwordHash'>,
  now: Date,
): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: object[] }>(
    `with counted as (
       update shares set views = views + 1
       where uid = ? and password_hash is not distinct from ?
         and (max_views is null or views < max_views)
       returning uid, id, name, creator_id, receiver_id
     ), told as (
       ${happeningSql('share.opened', toldOfShare('counted'))}
     )
     insert into view_counts (share_uid, hour, count)
     select uid, date_trunc('hour', ?::timestamptz, 'UTC'), 1 from counted
     on conflict (share_uid, hour) do update set count = view_counts.count + 1
     returning share_uid`,
    [uid, passwordHash, now],
  )
  return rows.length > 0
}
