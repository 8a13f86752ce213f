import type { Database, Knex } from '@floe/db'
import { chargeSql, flush } from '../../quotas/stores/storage-usage-store.ts'

/**
 * Runs a transaction that changes rows and, last of all, their counters. Its commit does not wait for
 * the disk, because every other change of the counters would wait with it; `flush` waits afterwards,
 * before an object goes whose row must not come back.
 */
export async function changeCounted<Result>(
  { knex, query }: Pick<Database, 'knex' | 'query'>,
  run: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  const result = await knex.transaction(async (trx) => {
    await trx.raw('set local synchronous_commit = off')
    return run(trx)
  })
  await flush({ query })
  return result
}

/** Takes bytes off the total of a share, and off what its owner and the instance store. */
export async function releaseBytes(
  trx: Knex.Transaction,
  shareUid: string,
  { ofShare, stored }: { ofShare: number; stored: number },
): Promise<void> {
  await trx('share_totals')
    .where({ share_uid: shareUid })
    .update({ reserved_bytes: trx.raw('reserved_bytes - ?::bigint', [ofShare]) })
  if (stored === 0) return
  await trx.raw(
    `with charge as (
       select charged_to, -?::bigint as bytes from share_totals where share_uid = ?
     ) ${chargeSql('charge')}`,
    [stored, shareUid],
  )
}
