import { shareIdSchema } from '@floe/contracts'
import { type Database, recordAuditEvents } from '@floe/db'
import type { Knex } from 'knex'
import type { ExpiryRule, ShareStore } from '../domain/ports.ts'
import type { Share } from '../domain/share.ts'
import { completeShare } from './complete-share.ts'
import { insertShare } from './insert-share.ts'
import { listShares } from './share-list.ts'
import { recordRemovals, type RemovedRow } from './remove-shares.ts'
import { fromRow, type ShareRow, toShare } from './share-rows.ts'
import { updateShare } from './update-share.ts'

/** Shares in PostgreSQL. */
export function createShareStore({ knex, query }: Pick<Database, 'knex' | 'query'>): ShareStore {
  // Asked for every request that touches a share, so planned once.
  const findBy = async (column: 'id' | 'uid', value: string) => {
    const [row] = await query<ShareRow>({
      name: `find-share-by-${column}`,
      text: `select * from shares where ${column} = $1`,
      values: [value],
    })
    return toShare(row)
  }
  return {
    insert: (share) => insertShare(knex, share),
    listOpenByCreator: async (userId) => {
      const rows = await knex<ShareRow>('shares')
        .select('uid')
        .where({ creator_id: userId, state: 'open' })
      return rows.map(({ uid }) => uid)
    },
    findById: async (id) => {
      // PostgreSQL refuses NUL in a text, and an id no share can have needs no query.
      if (!shareIdSchema.safeParse(id).success) return null
      return findBy('id', id)
    },
    findByUid: (uid) => findBy('uid', uid),
    listPublishedByCreator: (userId, now) => listPublishedByCreator(knex, userId, now),
    listAll: (listing) => listShares(knex, listing),
    listRecipients: (shareUids) => listRecipients(knex, shareUids),
    existing: async (shareUids) => {
      const rows = await knex<ShareRow>('shares')
        .select('uid')
        .whereRaw('uid = any(?::uuid[])', [[...shareUids]])
      return rows.map(({ uid }) => uid)
    },
    countLive: async (now) => {
      const [row] = await knex('shares')
        .whereNot({ state: 'open' })
        .whereRaw('(expires_at is null or expires_at > ?)', [now])
        .count<{ count: string | number }[]>('* as count')
      return Number(row?.count ?? 0)
    },
    publishedEditions: async (shareUids) => {
      const rows = await knex<ShareRow>('shares')
        .select('uid', 'edition', 'archive_level')
        .whereRaw('uid = any(?::uuid[])', [[...shareUids]])
      return rows.map(({ uid, edition, archive_level: archiveLevel }) => ({
        shareUid: uid,
        edition,
        archiveLevel,
      }))
    },
    publishedShares: async ({ after, limit }) => {
      const rows = await knex<ShareRow>('shares')
        .select('uid', 'id', 'edition')
        .where('edition', '>', 0)
        .whereNull('removed_reason')
        .whereRaw('(?::uuid is null or uid > ?::uuid)', [after, after])
        .orderBy('uid')
        .limit(limit)
      return rows.map(({ uid, id, edition }) => ({ shareUid: uid, shareId: id, edition }))
    },
    update: (uid, update) => updateShare(knex, uid, update),
    complete: (found, edition) => completeShare(knex, found, edition),
    settleArchiveLevels: async (level) => {
      await knex<ShareRow>('shares')
        .whereNull('archive_level')
        .where('edition', '>', 0)
        .update({ archive_level: level })
    },
    reopen: (uid, now) => reopenShare(knex, uid, now),
    closeEdit: async (uid, now) => {
      const [row] = await knex<ShareRow>('shares')
        .where({ uid })
        .whereNot({ state: 'open' })
        .update({ state: 'completed', last_activity_at: now })
        .returning('*')
      return toShare(row)
    },
    recordActivity: async (uid, now) => {
      await knex<ShareRow>('shares').where({ uid }).update({ last_activity_at: now })
    },
    forgetCreatorAddresses: async (createdBefore) => {
      await knex<ShareRow>('shares')
        .whereNotNull('creator_address_hash')
        .where('created_at', '<=', createdBefore)
        .update({ creator_address_hash: null })
    },
    remove: async (uid, acts) => {
      const count = await removeWith(knex, async (trx) => {
        const removed = await trx<ShareRow>('shares').where({ uid }).delete(['uid', 'id'])
        if (removed.length > 0) await recordAuditEvents(trx, acts)
        return removed
      })
      return count > 0
    },
    removeExpired: (rule) => removeExpired(knex, rule),
    removeByCreator: (userId, limit) => removeByCreator(knex, userId, limit),
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
       returning uid
     )
     insert into view_counts (share_uid, hour, count)
     select uid, date_trunc('hour', ?::timestamptz, 'UTC'), 1 from counted
     on conflict (share_uid, hour) do update set count = view_counts.count + 1
     returning share_uid`,
    [uid, passwordHash, now],
  )
  return rows.length > 0
}

async function listPublishedByCreator(knex: Knex, userId: string, now: Date): Promise<Share[]> {
  const rows = await knex<ShareRow>('shares')
    .where({ creator_id: userId })
    .whereNot({ state: 'open' })
    .whereRaw('(expires_at is null or expires_at > ?)', [now])
    .orderByRaw('expires_at desc nulls first, created_at desc, uid')
  return rows.map(fromRow)
}

async function listRecipients(
  knex: Knex,
  shareUids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await knex<{ share_uid: string; email: string }>('share_recipients')
    .select('share_uid', 'email')
    .whereRaw('share_uid = any(?::uuid[])', [[...shareUids]])
    .orderBy('email')
  const recipients = new Map<string, string[]>()
  for (const { share_uid: uid, email } of rows) {
    recipients.set(uid, [...(recipients.get(uid) ?? []), email])
  }
  return recipients
}

async function reopenShare(knex: Knex, uid: string, now: Date): Promise<Share | null> {
  const [row] = await knex<ShareRow>('shares')
    .where({ uid })
    .update({
      state: knex.raw("case state when 'open' then 'open' else 'reopened' end"),
      last_activity_at: now,
    })
    .returning('*')
  return toShare(row)
}

async function removeExpired(knex: Knex, rule: ExpiryRule): Promise<number> {
  const { now, abandonedBefore, limit } = rule
  return removeWith(knex, async (trx) => {
    // Locked rows are being changed right now, perhaps prolonged: the next run sees.
    const { rows } = await trx.raw<{ rows: RemovedRow[] }>(
      `with doomed as materialized (
         select uid from shares
         where expires_at <= ? or (state = 'open' and last_activity_at < ?)
         limit ? for update skip locked
       )
       delete from shares using doomed where shares.uid = doomed.uid
       returning shares.uid, shares.id`,
      [now, abandonedBefore, limit],
    )
    return rows
  })
}

async function removeByCreator(knex: Knex, userId: string, limit: number): Promise<number> {
  return removeWith(knex, async (trx) => {
    const { rows } = await trx.raw<{ rows: RemovedRow[] }>(
      `with doomed as materialized (
         select uid from shares where creator_id = ? order by uid limit ? for update
       )
       delete from shares using doomed where shares.uid = doomed.uid
       returning shares.uid, shares.id`,
      [userId, limit],
    )
    return rows
  })
}

async function removeWith(
  knex: Knex,
  deleteRows: (trx: Knex.Transaction) => PromiseLike<RemovedRow[]>,
): Promise<number> {
  return knex.transaction(async (trx) => {
    const removed = await deleteRows(trx)
    await recordRemovals(trx, removed)
    return removed.length
  })
}
