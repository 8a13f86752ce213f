import { MOST_EMPTY_SHARES, type ShareState } from '@floe/contracts'
import { advisoryLockClass } from '@floe/db'
import type { Knex } from 'knex'
import type { Insertion, NewShare } from '../domain/ports.ts'
import { mayBeOpen } from '../domain/reverse-share.ts'
import type { Share } from '../domain/share.ts'
import type { ReverseShareRow } from './reverse-share-rows.ts'
import { type ShareRow, toRow } from './share-rows.ts'

/** Never completed. */
export const unfinishedStates: readonly ShareState[] = ['open', 'uploading']

export async function insertShare(
  knex: Knex,
  { share, recipients, filled }: NewShare,
): Promise<Insertion> {
  try {
    return await knex.transaction(async (trx) => {
      const obstacle = await findObstacle(trx, share)
      if (obstacle !== null) return obstacle
      if (await hasTooManyEmpty(trx, share, filled)) return 'too many empty'
      await trx<ShareRow>('shares').insert(toRow(share))
      const rows = recipients.map((email) => ({ share_uid: share.uid, email }))
      if (rows.length > 0) await trx('share_recipients').insert(rows)
      return 'inserted'
    })
  } catch (error) {
    if (isIdTaken(error)) return 'id taken'
    throw error
  }
}

/** The constraint is the check: of two shares that want one link at once, one gets it. */
export function isIdTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === '23505' && constraint === 'shares_id_unique'
}

/**
 * Locked until the share is there: a change of the reverse share then finds it and takes it along,
 * and of senders who begin at once each counts those before.
 */
async function findObstacle(
  trx: Knex.Transaction,
  { reverseShareId, isPrivate, expiresAt, maxSizeBytes }: Share,
): Promise<'reverse share changed' | 'reverse share busy' | null> {
  if (reverseShareId === null) return null
  const row = await trx<ReverseShareRow>('reverse_shares')
    .where({ id: reverseShareId })
    // One that others may not open can be sent through any.
    .whereRaw('(is_public or ?)', [isPrivate])
    .whereRaw('expires_at = ?', [expiresAt])
    .whereRaw('max_size_bytes = ?', [maxSizeBytes])
    .forNoKeyUpdate()
    .first('remaining_uses')
  if (row === undefined) return 'reverse share changed'
  const [open] = await trx<ShareRow>('shares')
    .where({ reverse_share_id: reverseShareId, state: 'open' })
    .count<{ count: number }[]>()
  const limit = mayBeOpen({ remainingUses: row.remaining_uses })
  return (open?.count ?? 0) < limit ? null : 'reverse share busy'
}

/** Locked until the share is there: of those that are made at once each counts the ones before. */
async function hasTooManyEmpty(
  trx: Knex.Transaction,
  { creatorId }: Share,
  filled: readonly string[],
): Promise<boolean> {
  if (creatorId === null) return false
  await trx.raw('select pg_advisory_xact_lock(?, hashtext(?))', [
    advisoryLockClass.emptyShares,
    creatorId,
  ])
  const [empty] = await trx<ShareRow>('shares')
    .where({ creator_id: creatorId })
    .whereIn('state', unfinishedStates)
    .whereRaw('not uid = any(?::uuid[])', [[...filled]])
    .count<{ count: number }[]>()
  return (empty?.count ?? 0) >= MOST_EMPTY_SHARES
}
