import type { Knex } from 'knex'
import type { Insertion, NewShare } from '../domain/ports.ts'
import type { Share } from '../domain/share.ts'
import type { ReverseShareRow } from './reverse-share-rows.ts'
import { type ShareRow, toRow } from './share-rows.ts'

export async function insertShare(knex: Knex, { share, recipients }: NewShare): Promise<Insertion> {
  try {
    return await knex.transaction(async (trx) => {
      if (!(await holdsStill(trx, share))) return 'reverse share changed'
      await trx<ShareRow>('shares').insert(toRow(share))
      const rows = recipients.map((email) => ({ share_uid: share.uid, email }))
      if (rows.length > 0) await trx('share_recipients').insert(rows)
      return 'inserted'
    })
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown }
    if (code === '23505' && constraint === 'shares_id_unique') return 'id taken'
    throw error
  }
}

/** Locked until the share is there: a change of the reverse share then finds it and takes it along. */
async function holdsStill(trx: Knex.Transaction, share: Share): Promise<boolean> {
  const { reverseShareId, isPrivate, expiresAt, maxSizeBytes } = share
  if (reverseShareId === null) return true
  const row = await trx<ReverseShareRow>('reverse_shares')
    .where({ id: reverseShareId, is_public: !isPrivate })
    .whereRaw('expires_at = ?', [expiresAt])
    .whereRaw('max_size_bytes = ?', [maxSizeBytes])
    .forShare()
    .first('id')
  return row !== undefined
}
