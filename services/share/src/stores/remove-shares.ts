import { appendEvents } from '@floe/db'
import type { Knex } from 'knex'
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
