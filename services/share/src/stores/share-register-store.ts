import type { Knex } from 'knex'
import type { ShareStore } from '../domain/ports.ts'
import type { ShareRow } from './share-rows.ts'

/** Which shares there are and what visitors read of them, for services that compare it with their own rows. */
export function createShareRegisterStore(
  knex: Knex,
): Pick<ShareStore, 'existing' | 'publishedEditions' | 'publishedShares'> {
  return {
    existing: async (shareUids) => {
      const rows = await knex<ShareRow>('shares')
        .select('uid')
        .whereRaw('uid = any(?::uuid[])', [[...shareUids]])
      return rows.map(({ uid }) => uid)
    },
    publishedEditions: async (shareUids) => {
      const rows = await knex<ShareRow>('shares')
        .select('uid', 'id', 'edition', 'visible_edition', 'archive_level')
        .whereRaw('uid = any(?::uuid[])', [[...shareUids]])
      return rows.map(
        ({ uid, id, edition, visible_edition: visible, archive_level: archiveLevel }) => ({
          shareUid: uid,
          shareId: id,
          edition: visible ?? edition,
          archiveLevel,
        }),
      )
    },
    publishedShares: async ({ after, limit }) => {
      const rows = await knex<ShareRow>('shares')
        .select('uid', 'id', 'edition', 'visible_edition')
        .whereRaw('coalesce(visible_edition, edition) > 0')
        // Its files are still on their way: none need be there.
        .whereNot({ state: 'uploading' })
        .whereNull('removed_reason')
        .whereRaw('(?::uuid is null or uid > ?::uuid)', [after, after])
        .orderBy('uid')
        .limit(limit)
      return rows.map(({ uid, id, edition, visible_edition: visible }) => ({
        shareUid: uid,
        shareId: id,
        edition: visible ?? edition,
      }))
    },
  }
}
