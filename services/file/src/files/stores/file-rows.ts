import type { Database, Knex } from '@floe/db'
import type { FileStore, ListedFile, StoredFile } from '../domain/file-ports.ts'
import { chargeSql, flush } from '../../quotas/stores/storage-usage-store.ts'

interface FileRow {
  id: string
  name: string
  size_bytes: number
  crc32: number
  sha256: Buffer | null
  object_key: string
  created_at: Date
}

interface EndedUpload {
  charged_to: string | null
  reserved_bytes: number
  finished_at: Date | null
}

interface LostFile {
  size_bytes: number
  removed_edition: number | null
}

interface ListedRow {
  share_uid: string
  id: string
  name: string
  size_bytes: number
  sha256: string | null
}

/** The files of a share ($1) that one of its editions ($2) has. */
const inEdition = `share_uid = $1 and added_edition <= $2::int
  and (removed_edition is null or removed_edition > $2::int)`

const fileColumns = ['id', 'name', 'size_bytes', 'crc32', 'sha256', 'object_key', 'created_at']

/**
 * Counters come last and their transaction does not wait for the disk; `flush` does, before an object
 * goes whose row must not come back.
 */
async function releaseBytes(
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

export function createFileRows({ knex, query }: Database): FileStore {
  async function inOneGo<Result>(run: (trx: Knex.Transaction) => Promise<Result>): Promise<Result> {
    const result = await knex.transaction(async (trx) => {
      await trx.raw('set local synchronous_commit = off')
      return run(trx)
    })
    await flush({ query })
    return result
  }

  return {
    list: async ({ shareUid, edition }, most) => {
      const rows = await query<FileRow>({
        name: 'list-files',
        text: `select ${fileColumns.join(', ')} from files where ${inEdition}
               order by name collate "C", id limit $3::bigint`,
        values: [shareUid, edition, most ?? null],
      })
      return rows.map(toFile)
    },

    measureEdition: async ({ shareUid, edition }) => {
      const [row] = await query<{ file_count: number; size_bytes: number }>({
        name: 'measure-edition',
        text: `select count(*) as file_count, coalesce(sum(size_bytes), 0)::bigint as size_bytes
               from files where ${inEdition}`,
        values: [shareUid, edition],
      })
      return { fileCount: row?.file_count ?? 0, sizeBytes: row?.size_bytes ?? 0 }
    },

    listOfShares: async (shares) => {
      const rows = await query<ListedRow>({
        name: 'list-files-of-shares',
        text: `select share_uid, id, name, size_bytes, encode(sha256, 'hex') as sha256
               from files join unnest($1::uuid[], $2::int[]) as wanted (share_uid, edition)
                 using (share_uid)
               where added_edition <= wanted.edition
                 and (removed_edition is null or removed_edition > wanted.edition)
               order by name collate "C", id`,
        values: [shares.map(({ shareUid }) => shareUid), shares.map(({ edition }) => edition)],
      })
      const byShare = new Map<string, ListedFile[]>()
      for (const { share_uid: uid, id, name, size_bytes: sizeBytes, sha256 } of rows) {
        const listed = byShare.get(uid) ?? []
        byShare.set(uid, listed)
        listed.push({ id, name, sizeBytes, sha256 })
      }
      return byShare
    },

    find: async ({ shareUid, edition }, fileId) => {
      const [row] = await query<FileRow>({
        name: 'find-file',
        text: `select ${fileColumns.join(', ')} from files where ${inEdition} and id = $3`,
        values: [shareUid, edition, fileId],
      })
      return row ? toFile(row) : null
    },

    stateOf: async (shareUid, fileId) => {
      const [row] = await query<{ state: 'kept' | 'removed' }>({
        name: 'state-of-file',
        text: `select case when removed_edition is null then 'kept' else 'removed' end as state
               from files where share_uid = $1 and id = $2`,
        values: [shareUid, fileId],
      })
      return row?.state ?? null
    },

    // Computed, not counted: a counter would be one row that all parallel uploads wait for.
    revision: async ({ shareUid, edition }) => {
      const [row] = await query<{ revision: string }>({
        name: 'files-revision',
        text: `select concat_ws('-', $2::int, count(*), sum(crc32), max(created_at)) as revision
               from files where ${inEdition}`,
        values: [shareUid, edition],
      })
      return row?.revision ?? ''
    },

    sumSizes: async () => {
      const [row] = await query<{ size_bytes: number }>({
        name: 'sum-files',
        text: 'select coalesce(sum(size_bytes), 0)::bigint as size_bytes from files',
        values: [],
      })
      return row?.size_bytes ?? 0
    },

    measure: async (shareUids) => {
      const rows = await query<{ share_uid: string; file_count: number; size_bytes: number }>({
        name: 'measure-shares',
        text: `select wanted.share_uid, count(files.id) as file_count,
                 coalesce(sum(files.size_bytes), 0)::bigint as size_bytes
               from unnest($1::uuid[]) as wanted (share_uid)
               left join files on files.share_uid = wanted.share_uid and removed_edition is null
               group by wanted.share_uid`,
        values: [[...new Set(shareUids)]],
      })
      return rows.map((row) => ({
        shareUid: row.share_uid,
        fileCount: row.file_count,
        sizeBytes: row.size_bytes,
      }))
    },

    remove: ({ shareUid, edition }, fileId) =>
      inOneGo(async (trx) => {
        const ofFile = { share_uid: shareUid, id: fileId, removed_edition: null }
        // Uploads before files, as in every transaction on both: no two can wait for each other.
        await trx('uploads')
          .where({ share_uid: shareUid, file_id: fileId })
          .whereNotNull('finished_at')
          .delete()
        const [kept] = await trx('files')
          .where(ofFile)
          .where('added_edition', '<', edition)
          .update({ removed_edition: edition })
          .returning<Pick<FileRow, 'object_key' | 'size_bytes'>[]>(['object_key', 'size_bytes'])
        const [deleted] = kept
          ? []
          : await trx('files')
              .where(ofFile)
              .delete()
              .returning<Pick<FileRow, 'object_key' | 'size_bytes'>[]>(['object_key', 'size_bytes'])
        const removed = kept ?? deleted
        if (!removed) return null
        const { size_bytes: sizeBytes } = removed
        await releaseBytes(trx, shareUid, {
          ofShare: sizeBytes,
          // Visitors read on what was published, so it takes its room until it is purged.
          stored: kept ? 0 : sizeBytes,
        })
        return { unusedKey: deleted?.object_key ?? null }
      }),

    discardChanges: ({ shareUid, edition }) =>
      inOneGo(async (trx) => {
        type Changed = Pick<FileRow, 'object_key' | 'size_bytes'>
        const columns = ['object_key', 'size_bytes']
        const ofShare = { share_uid: shareUid }
        const added = trx('files').where(ofShare).where('added_edition', '>', edition)
        await trx('uploads')
          .where(ofShare)
          .whereNotNull('finished_at')
          .whereIn('file_id', added.clone().select('id'))
          .delete()
        const deleted = await added.clone().delete().returning<Changed[]>(columns)
        const kept = await trx('files')
          .where(ofShare)
          .where('removed_edition', '>', edition)
          .update({ removed_edition: null })
          .returning<Changed[]>(columns)
        await releaseBytes(trx, shareUid, {
          ofShare: totalBytes(deleted) - totalBytes(kept),
          stored: totalBytes(deleted),
        })
        return deleted.map(({ object_key: objectKey }) => objectKey)
      }),

    sharesWithRemovedFiles: async ({ after, limit }) => {
      const rows = await query<{ share_uid: string }>({
        name: 'page-of-shares-with-removed-files',
        text: `select distinct share_uid from files
               where removed_edition is not null and purge_at is null
                 and ($1::uuid is null or share_uid > $1::uuid)
               order by share_uid limit $2`,
        values: [after, limit],
      })
      return rows.map((row) => row.share_uid)
    },

    schedulePurge: async (published, purgeAt) => {
      await query({
        name: 'schedule-purge',
        text: `update files set purge_at = $3::timestamptz
               from unnest($1::uuid[], $2::int[]) as published (share_uid, edition)
               where files.share_uid = published.share_uid and purge_at is null
                 and removed_edition <= published.edition`,
        values: [
          published.map(({ shareUid }) => shareUid),
          published.map(({ edition }) => edition),
          purgeAt,
        ],
      })
    },

    listPurgeable: async ({ now, limit }) => {
      const rows = await query<Pick<FileRow, 'id' | 'object_key'> & { share_uid: string }>({
        name: 'list-purgeable-files',
        text: `select share_uid, id, object_key from files
               where removed_edition is not null and purge_at <= $1::timestamptz limit $2`,
        values: [now, limit],
      })
      return rows.map((row) => ({
        shareUid: row.share_uid,
        id: row.id,
        objectKey: row.object_key,
      }))
    },

    purge: async (purged) => {
      await query({
        name: 'purge-files',
        // Removed files count for nothing in their share already.
        text: `with mode as (select set_config('synchronous_commit', 'off', true)), deleted as (
                 delete from files
                 using mode, unnest($1::uuid[], $2::uuid[]) as purged (share_uid, id)
                 where files.share_uid = purged.share_uid and files.id = purged.id
                   and purge_at is not null
                 returning files.share_uid, size_bytes
               ), charge as (
                 select charged_to, -size_bytes as bytes
                 from deleted join share_totals using (share_uid)
               ) ${chargeSql('charge')}`,
        values: [purged.map(({ shareUid }) => shareUid), purged.map(({ id }) => id)],
      })
    },

    listUnhashed: async (shareUid, limit) => {
      const rows = await knex<FileRow & { share_uid: string }>('files')
        .where({ share_uid: shareUid })
        .whereNull('sha256')
        .whereNull('purge_at')
        .orderBy('id')
        .limit(limit)
      return rows.map(toFile)
    },

    saveDigests: async (shareUid, digests) => {
      await query({
        name: 'save-digests',
        text: `update files set sha256 = digest.sha256
               from unnest($2::uuid[], $3::bytea[]) as digest (id, sha256)
               where files.share_uid = $1 and files.id = digest.id`,
        values: [shareUid, digests.map((d) => d.fileId), digests.map((d) => d.sha256)],
      })
    },

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
      inOneGo(async (trx) => {
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
      }),

    removeLost: (shareUid, fileId) =>
      inOneGo(async (trx) => {
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

/** A file counts from then on. */
function reservedBytesOf({ finished_at: finishedAt, reserved_bytes: bytes }: EndedUpload): number {
  return finishedAt === null ? bytes : 0
}

function totalBytes(rows: readonly Pick<FileRow, 'size_bytes'>[]): number {
  return rows.reduce((sum, { size_bytes: sizeBytes }) => sum + sizeBytes, 0)
}

function toFile(row: FileRow): StoredFile {
  return {
    id: row.id,
    name: row.name,
    sizeBytes: row.size_bytes,
    crc32: row.crc32,
    sha256: row.sha256,
    objectKey: row.object_key,
    createdAt: row.created_at,
  }
}
