import type { Knex } from '@floe/db'
import type { ReverseShare } from '../domain/reverse-share.ts'
import type { Share } from '../domain/share.ts'
import { fromReverseShareRow, type ReverseShareRow } from '../stores/reverse-share-rows.ts'
import { fromRow, type ShareRow } from '../stores/share-rows.ts'

export interface ShareToExport {
  share: Share
  recipients: string[]
}

/** Those that were completed or opened, so many at a time. */
export async function* exportShares(knex: Knex, atOnce: number): AsyncIterable<ShareToExport[]> {
  for (let after: string | null = null; ;) {
    const rows: ShareRow[] = await knex<ShareRow>('shares')
      .whereNot({ state: 'open' })
      .modify((query) => (after === null ? query : query.where('uid', '>', after)))
      .orderBy('uid')
      .limit(atOnce)
    if (rows.length === 0) return
    after = rows.at(-1)?.uid ?? null
    const recipients = await knex<{ share_uid: string; email: string }>('share_recipients')
      .whereIn(
        'share_uid',
        rows.map(({ uid }) => uid),
      )
      .orderBy('email')
    yield rows.map((row) => ({
      share: fromRow(row),
      recipients: recipients.flatMap((one) => (one.share_uid === row.uid ? one.email : [])),
    }))
  }
}

/** All of them, oldest first. */
export async function exportReverseShares(knex: Knex): Promise<ReverseShare[]> {
  const rows = await knex<ReverseShareRow>('reverse_shares').orderBy(['created_at', 'id'])
  return rows.map(fromReverseShareRow)
}
