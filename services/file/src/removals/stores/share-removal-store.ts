import { advisoryLockClass, appendEventSql, type Database } from '@floe/db'
import { currentRequestId } from '@floe/log'
import type { ShareRemovalStore } from '../domain/share-removals.ts'

export interface ShareRemovalStoreOptions {
  database: Pick<Database, 'knex' | 'query'>
  clock: () => Date
  /** Key of this process; a hold counts for as long as its holder is present. */
  instanceKey: number
}

export function createShareRemovalStore({
  database: { knex, query },
  clock,
  instanceKey,
}: ShareRemovalStoreOptions): ShareRemovalStore {
  return {
    hold: async (shareUid) => {
      const rows = await query({
        name: 'hold-share',
        text: holdStatement,
        values: [shareUid, instanceKey],
      })
      return rows.length > 0
    },

    release: async (shareUid) => {
      await query({
        name: 'release-share',
        text: releaseStatement,
        values: [shareUid, instanceKey, currentRequestId()],
      })
    },

    request: (shareUid) =>
      knex.transaction(async (trx) => {
        // Waits for holds that are being taken, so that `isHeld` sees every one.
        const row = await trx('share_totals').where({ share_uid: shareUid }).forUpdate().first()
        if (!row) return null
        if (row.removal_requested_at !== null) return row.removal_requested_at as Date
        const now = clock()
        await trx('share_totals')
          .where({ share_uid: shareUid })
          .update({ removal_requested_at: now })
        return now
      }),

    isHeld: async (shareUid) => {
      const rows = await query({
        name: 'is-share-held',
        text: `select 1 from transfer_holds
               where share_uid = $1 and instance_key in (${presentInstances})`,
        values: [shareUid],
      })
      return rows.length > 0
    },

    underWay: async (shareUids, since) => {
      const rows = await query<{ share_uid: string }>({
        name: 'shares-being-removed',
        text: `select share_uid from share_totals
               where share_uid = any($1::uuid[]) and removal_requested_at >= $2::timestamptz`,
        values: [shareUids, since],
      })
      return rows.map((row) => row.share_uid)
    },

    forgetDead: async () => {
      await query({
        name: 'forget-dead-holds',
        text: `delete from transfer_holds where instance_key not in (${presentInstances})`,
        values: [],
      })
    },
  }
}

const presentInstances = `
  select objid::bigint::int from pg_locks
  where locktype = 'advisory' and classid = ${advisoryLockClass.presence} and objsubid = 2
    and granted
    and database = (select oid from pg_database where datname = current_database())`

// The row lock makes a removal that is being asked for wait for this hold, or this hold find it.
// Lost with the machine, a hold is as dead as its holder: the commit need not be flushed.
const holdStatement = `
  with mode as (select set_config('synchronous_commit', 'off', true)), readable as (
    select share_uid from share_totals
    where share_uid = $1 and removal_requested_at is null
    for key share
  )
  insert into transfer_holds (share_uid, instance_key)
  select share_uid, $2::int from readable, mode
  on conflict (share_uid, instance_key) do update set instance_key = excluded.instance_key
  returning share_uid`

const releaseStatement = `
  with mode as (select set_config('synchronous_commit', 'off', true)), released as (
    delete from transfer_holds using mode where share_uid = $1 and instance_key = $2::int
    returning share_uid
  ), awaited as (
    select share_uid from released join share_totals using (share_uid)
    where removal_requested_at is not null
  )
  ${appendEventSql('share-transfers.ended', {
    payload: "jsonb_build_object('shareUid', share_uid)",
    requestId: '$3::text',
    from: 'awaited',
  })}`
