import type { Knex } from 'knex'
import type { ShareStore } from '../domain/ports.ts'
import { fromRow, type ShareRow } from './share-rows.ts'
import { tellOpened } from './tell-opened.ts'

/** Shares that visitors do not see as they were completed, until their files were scanned. */
export function createHeldShareStore(knex: Knex): Pick<ShareStore, 'listHeld' | 'release'> {
  return {
    listHeld: async ({ after, limit }) => {
      const rows = await knex<ShareRow>('shares')
        .whereNotNull('visible_edition')
        // What was opened early waits for its completion.
        .whereIn('state', ['completed', 'reopened'])
        .whereRaw('(?::uuid is null or uid > ?::uuid)', [after, after])
        .orderBy('uid')
        .limit(limit)
      return rows.map(fromRow)
    },

    release: ({ uid, edition, visibleEdition }, now) =>
      knex.transaction(async (trx) => {
        const [row] = await trx<ShareRow>('shares')
          .where({ uid, edition, visible_edition: visibleEdition })
          .update({ visible_edition: null })
          .returning('*')
        if (row !== undefined) await tellOpened(trx, row, { isNews: visibleEdition === 0, now })
      }),
  }
}
