import { appendEventSql, type Database, type Knex } from '@floe/db'
import { chargeSql } from '../quotas/stores/storage-usage-store.ts'
import type { ImportedFile, StoredImport } from './import-files.ts'

/** A file that has a row, so that it is counted and its object is known, and no bytes yet. */
export interface StagedImport extends ImportedFile {
  uploadId: string
  objectKey: string
  /** An earlier import ended before this one was a file. */
  isTakenOver: boolean
}

/** What an import that nobody went on with leaves goes after this long. */
const STAGED_LIFETIME_MS = 30 * 24 * 60 * 60_000

interface ImportRowsOptions {
  database: Database
  clock: () => Date
  bootId: string
}

/** No limit holds these: they are here already, in the eyes of their owners. */
export function createImportRows({ database: { query }, clock, bootId }: ImportRowsOptions) {
  return {
    /** Those that are no files yet. */
    async stage(
      files: readonly ImportedFile[],
      chooseKeys: (files: readonly ImportedFile[]) => readonly string[],
    ): Promise<StagedImport[]> {
      const fresh = await leaveOutKnown(files)
      if (fresh.length === 0) return []
      const keys = chooseKeys(fresh)
      const now = clock()
      const rows = await query<{ id: string; object_key: string; is_new: boolean }>({
        name: 'stage-import',
        text: stageStatement,
        values: [
          fresh.map(uploadIdOf),
          fresh.map(({ shareUid }) => shareUid),
          fresh.map(({ shareId }) => shareId),
          fresh.map(({ chargedTo }) => chargedTo),
          fresh.map(({ id }) => id),
          fresh.map(({ name }) => name),
          fresh.map(({ sizeBytes }) => sizeBytes),
          keys,
          bootId,
          now,
          new Date(now.getTime() + STAGED_LIFETIME_MS),
        ],
      })
      const staged = new Map(rows.map((row) => [row.id, row]))
      return fresh.flatMap((file) => {
        const row = staged.get(uploadIdOf(file))
        if (!row) return []
        const { id: uploadId, object_key: objectKey, is_new: isNew } = row
        return [{ ...file, uploadId, objectKey, isTakenOver: !isNew }]
      })
    },

    async finish(trx: Knex.Transaction, stored: readonly StoredImport[]): Promise<void> {
      if (stored.length === 0) return
      await trx.raw(finishStatement, [
        stored.map(({ uploadId }) => uploadId),
        stored.map(({ sizeBytes }) => sizeBytes),
        stored.map(({ crc32 }) => crc32),
        stored.map(({ sha256 }) => sha256?.toString('hex') ?? ''),
        stored.map(({ createdAt }) => createdAt),
      ])
    },
  }

  async function leaveOutKnown(files: readonly ImportedFile[]): Promise<ImportedFile[]> {
    const rows = await query<{ share_uid: string; id: string }>({
      name: 'find-imported-files',
      text: `select share_uid, id from files
             join unnest($1::uuid[], $2::uuid[]) as wanted (share_uid, id) using (share_uid, id)`,
      values: [files.map(({ shareUid }) => shareUid), files.map(({ id }) => id)],
    })
    const known = new Set(rows.map(({ share_uid: uid, id }) => `${uid} ${id}`))
    return files.filter(({ shareUid, id }) => !known.has(`${shareUid} ${id}`))
  }
}

/** The same for every import of the same file. */
function uploadIdOf({ shareUid, id }: Pick<ImportedFile, 'shareUid' | 'id'>): string {
  return `import-${shareUid}-${id}`
}

/** Bytes of what ended imports have begun to store: the next one takes their place. */
export async function countLeftByImports(knex: Knex): Promise<number> {
  const row = await knex('uploads')
    .where('id', 'like', 'import-%')
    .sum<{ sum: string | null }>({ sum: 'length_bytes' })
    .first()
  return Number(row?.sum ?? 0)
}

const stageStatement = `
  with wanted as (
    select * from unnest($1::text[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::text[],
      $7::bigint[], $8::text[])
      as file (id, share_uid, share_id, charged_to, file_id, name, size_bytes, object_key)
  ), staged as (
    insert into uploads (id, kind, share_uid, share_id, charged_to, file_id, name, length_bytes,
      reserved_bytes, object_key, boot_id, created_at, expires_at, discards_unverified)
    select id, 'batch', share_uid, share_id, charged_to, file_id, name, size_bytes, size_bytes,
      object_key, $9, $10::timestamptz, $11::timestamptz, true
    from wanted
    on conflict (id) do nothing
    returning id, share_uid, charged_to, reserved_bytes, object_key
  ), counted as (
    insert into share_totals (share_uid, charged_to, reserved_bytes)
    select share_uid, charged_to, sum(reserved_bytes)::bigint from staged
    group by share_uid, charged_to order by share_uid
    on conflict (share_uid) do update
      set reserved_bytes = share_totals.reserved_bytes + excluded.reserved_bytes
  ), charge as (
    select charged_to, reserved_bytes::numeric as bytes from staged
  ), charged as (
    ${chargeSql('charge')}
  )
  select id, object_key, true as is_new from staged
  union all
  select id, uploads.object_key, false from uploads join wanted using (id)`

const finishStatement = `
  with given as (
    select * from unnest(?::text[], ?::bigint[], ?::bigint[], ?::text[], ?::timestamptz[])
      as file (id, size_bytes, crc32, sha256, created_at)
  ), taken as (
    delete from uploads using given where uploads.id = given.id
    returning share_uid, file_id, name, object_key, given.size_bytes, given.crc32,
      decode(nullif(given.sha256, ''), 'hex') as sha256,
      given.created_at
  ), filed as (
    insert into files
      (share_uid, id, name, size_bytes, crc32, sha256, object_key, created_at, added_edition)
    select share_uid, file_id, name, size_bytes, crc32, sha256, object_key, created_at, 1 from taken
    order by share_uid, file_id
    returning share_uid, id
  ), told as (
    ${appendEventSql('upload.finished', {
      payload: "jsonb_build_object('shareUid', share_uid, 'fileId', id)",
      requestId: 'null::text',
      from: 'filed',
    })}
  )
  select count(*) from filed`
