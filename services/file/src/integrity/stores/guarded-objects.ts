import { advisoryLockClass, type Database, type Knex } from '@floe/db'
import type { ObjectStore } from '@floe/storage'

/**
 * False while a backup runs: it copies what its snapshot of the database knows, so until its end
 * nothing may go. Otherwise no backup begins before the transaction ends.
 */
export async function mayRemoveObjects(trx: Knex.Transaction): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { may_remove: boolean }[] }>(
    'select pg_try_advisory_xact_lock_shared(?, 0) as may_remove',
    [advisoryLockClass.backup],
  )
  return rows[0]?.may_remove === true
}

/**
 * Leaves in place what is removed while a backup runs. Their rows go nevertheless, so reconciliation
 * takes them afterwards, as it takes all orphans.
 */
export function guardObjects({
  database,
  objects,
}: {
  database: Database
  objects: ObjectStore
}): ObjectStore {
  return {
    ...objects,
    remove: async (keys) => {
      if (keys.length === 0) return
      await database.knex.transaction(async (trx) => {
        if (await mayRemoveObjects(trx)) await objects.remove(keys)
      })
    },
  }
}
