import { appendEvents, recordAuditEvents } from '@floe/db'
import type { Knex } from 'knex'
import type { ExpiryRule, ShareStore } from '../domain/ports.ts'
import type { ShareRow } from './share-rows.ts'

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

/** Shares deleted by their owners, by their end, and with their creators. */
export function createShareRemovals(
  knex: Knex,
): Pick<ShareStore, 'remove' | 'removeExpired' | 'removeByCreator'> {
  return {
    remove: async (uid, auditEvents) => {
      const count = await removeWith(knex, async (trx) => {
        const removed = await trx<ShareRow>('shares').where({ uid }).delete(['uid', 'id'])
        if (removed.length > 0) await recordAuditEvents(trx, auditEvents)
        return removed
      })
      return count > 0
    },
    removeExpired: (rule) => removeExpired(knex, rule),
    removeByCreator: (userId, limit) => removeByCreator(knex, userId, limit),
  }
}

async function removeExpired(knex: Knex, rule: ExpiryRule): Promise<number> {
  const { now, keptSince, abandonedBefore, limit } = rule
  return removeWith(knex, async (trx) => {
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
