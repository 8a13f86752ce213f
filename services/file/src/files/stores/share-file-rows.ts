import type { Database, Knex } from '@floe/db'
import { chargeSql } from '../../quotas/stores/storage-usage-store.ts'
import type { ShareFiles } from '../domain/file-ports.ts'
import type { FileRow } from './file-row.ts'
import { changeCounted, releaseBytes } from './release-bytes.ts'

interface EndedUpload {
  charged_to: string | null
  reserved_bytes: number
  finished_at: Date | null
}

interface LostFile {
  size_bytes: number
  removed_edition: number | null
}

export function createShareFiles(database: Pick<Database, 'knex' | 'query'>): ShareFiles {
  const { query } = database

  return {
    objectKeysOf: async (shareUid) => {
      const rows = await query<{ object_key: string }>({
        name: 'object-keys-of-share',
        text: `select object_key from files where share_uid = $1
               union select object_key from uploads where share_uid = $1`,
        values: [shareUid],
      })
      return rows.map((row) => row.object_key)
    },

    removeShare: (shareUid) =>
      // The objects are gone by now: should the rows come back with the machine, the job does too.
      changeCounted(database, (trx) => removeRows(trx, shareUid)),

    removeLost: (shareUid, fileId) =>
      changeCounted(database, async (trx) => {
        await trx('uploads')
          .where({ share_uid: shareUid, file_id: fileId })
          .whereNotNull('finished_at')
          .delete()
        const [lost] = await trx('files')
          .where({ share_uid: shareUid, id: fileId })
          .delete()
          .returning<LostFile[]>(['size_bytes', 'removed_edition'])
        if (!lost) return
        await releaseBytes(trx, shareUid, {
          ofShare: lost.removed_edition === null ? lost.size_bytes : 0,
          stored: lost.size_bytes,
        })
      }),

    withoutFiles: async (shares) => {
      const rows = await query<{ share_uid: string }>({
        name: 'shares-without-files',
        text: `select wanted.share_uid
               from unnest($1::uuid[], $2::int[]) as wanted (share_uid, edition)
               where not exists (
                 select 1 from files
                 where files.share_uid = wanted.share_uid and added_edition <= wanted.edition
                   and (removed_edition is null or removed_edition > wanted.edition))`,
        values: [shares.map(({ shareUid }) => shareUid), shares.map(({ edition }) => edition)],
      })
      return rows.map((row) => row.share_uid)
    },

    shareUids: async ({ after, limit }) => {
      const rows = await query<{ share_uid: string }>({
        name: 'page-of-share-uids',
        text: `select share_uid from share_totals
               where $1::uuid is null or share_uid > $1::uuid order by share_uid limit $2`,
        values: [after, limit],
      })
      return rows.map((row) => row.share_uid)
    },
  }
}

/** Deletes every row of a share, and takes its bytes off what its owner and the instance store. */
async function removeRows(trx: Knex.Transaction, shareUid: string): Promise<void> {
  const ofShare = { share_uid: shareUid }
  const ended = await trx('uploads')
    .where(ofShare)
    .delete()
    .returning<EndedUpload[]>(['charged_to', 'reserved_bytes', 'finished_at'])
  const deleted = await trx('files')
    .where(ofShare)
    .delete()
    .returning<Pick<FileRow, 'size_bytes'>[]>('size_bytes')
  const [total] = await trx('share_totals')
    .where(ofShare)
    .delete()
    .returning<{ charged_to: string | null }[]>('charged_to')
  const chargedTo = total?.charged_to ?? ended[0]?.charged_to ?? null
  await trx.raw(
    `with charge as (
       select ?::uuid as charged_to, -sum(bytes) as bytes
       from unnest(?::bigint[]) as held (bytes) having count(*) > 0
     ) ${chargeSql('charge')}`,
    [chargedTo, [...deleted.map((file) => file.size_bytes), ...ended.map(reservedBytesOf)]],
  )
  // Of an account that may be gone by now nothing stays.
  await trx('storage_usage').where({ owner_id: chargedTo, used_bytes: 0 }).delete()
}

/** A finished upload holds nothing any more: its bytes are counted for its file. */
function reservedBytesOf({ finished_at: finishedAt, reserved_bytes: bytes }: EndedUpload): number {
  return finishedAt === null ? bytes : 0
}
