import { appendEvents, happeningSql, recordAuditEvents, recordHappenings } from '@floe/db'
import type { Knex } from 'knex'
import type { ExpiryRule, ShareStore } from '../domain/ports.ts'
import type { ShareRow } from './share-rows.ts'
import { toldOfShare } from './told-of-share.ts'

export type RemovedRow = Pick<ShareRow, 'uid' | 'id'>

/** Records share.deleted for each row that was deleted in the transaction. */
export async function recordRemovals(
  trx: Knex.Transaction,
  removed: readonly RemovedRow[],
): Promise<void> {
  await appendEvents(
    trx,
    removed.map(({ uid, id }) => ({
      name: 'share.deleted',
      payload: { shareUid: uid, shareId: id },
    })),
  )
}

export type DeletedRow = RemovedRow & Pick<ShareRow, 'name' | 'creator_id' | 'receiver_id'>
export const deletedColumns = ['uid', 'id', 'name', 'creator_id', 'receiver_id'] as const

/** The same for those that somebody has deleted, of which webhooks are told. */
export async function recordDeletions(
  trx: Knex.Transaction,
  deleted: readonly DeletedRow[],
): Promise<void> {
  await recordRemovals(trx, deleted)
  await recordHappenings(
    trx,
    deleted.map(({ id, name, creator_id, receiver_id }) => ({
      type: 'share.deleted',
      ownerId: creator_id ?? receiver_id,
      data: { shareId: id, name },
    })),
  )
}

/** Shares deleted by their owners, by their end, and with their creators. */
export function createShareRemovals(
  knex: Knex,
): Pick<ShareStore, 'remove' | 'tellExpired' | 'removeExpired' | 'removeByCreator'> {
  return {
    remove: async (uid, auditEvents) => {
      const count = await removeWith(knex, recordDeletions, async (trx) => {
        const removed = await trx<ShareRow>('shares')
          .where({ uid })
          .delete([...deletedColumns])
        if (removed.length > 0) await recordAuditEvents(trx, auditEvents)
        return removed
      })
      return count > 0
    },
    tellExpired: (now, limit) => tellExpired(knex, now, limit),
    removeExpired: (rule) => removeExpired(knex, rule),
    removeByCreator: (userId, limit) => removeByCreator(knex, userId, limit),
  }
}

/** Once for each end of a share: one that is prolonged may end again. Drafts were nowhere. */
async function tellExpired(knex: Knex, now: Date, limit: number): Promise<number> {
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `with ended as (
       select uid from shares
       where expires_at <= :now and state <> 'open'
         and expired_told_at is distinct from expires_at
       limit :limit for update skip locked
     ), told as (
       update shares set expired_told_at = expires_at from ended where shares.uid = ended.uid
       returning shares.id, name, creator_id, receiver_id
     )
     ${happeningSql('share.expired', toldOfShare('told'))}`,
    { now, limit },
  )
  return rowCount
}

async function removeExpired(knex: Knex, rule: ExpiryRule): Promise<number> {
  const { now, keptSince, abandonedBefore, limit } = rule
  return removeWith(knex, recordRemovals, async (trx) => {
    // Locked rows are being changed right now, perhaps prolonged: the next run sees.
    const { rows } = await trx.raw<{ rows: RemovedRow[] }>(
      `with doomed as materialized (
         select uid from shares
         where expires_at <= :keptSince
           or (state = 'open' and (expires_at <= :now or last_activity_at < :abandonedBefore))
         limit :limit for update skip locked
       )
       delete from shares using doomed where shares.uid = doomed.uid
       returning shares.uid, shares.id`,
      { now, keptSince, abandonedBefore, limit },
    )
    return rows
  })
}

async function removeByCreator(knex: Knex, userId: string, limit: number): Promise<number> {
  return removeWith(knex, recordDeletions, async (trx) => {
    const { rows } = await trx.raw<{ rows: DeletedRow[] }>(
      `with doomed as materialized (
         select uid from shares where creator_id = ? order by uid limit ? for update
       )
       delete from shares using doomed where shares.uid = doomed.uid
       returning shares.uid, id, name, creator_id, receiver_id`,
      [userId, limit],
    )
    return rows
  })
}

async function removeWith<R extends RemovedRow>(
  knex: Knex,
  record: (trx: Knex.Transaction, removed: readonly R[]) => Promise<void>,
  deleteRows: (trx: Knex.Transaction) => PromiseLike<R[]>,
): Promise<number> {
  return knex.transaction(async (trx) => {
    const removed = await deleteRows(trx)
    await record(trx, removed)
    return removed.length
  })
}
