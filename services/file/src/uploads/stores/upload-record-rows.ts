import type { UnfinishedFiles } from '@floe/contracts'
import type { Database } from '@floe/db'
import { AppError } from '@floe/errors'
import { flush, rejectFull } from '../../quotas/stores/storage-usage-store.ts'
import type { NewUpload, UploadRecords } from '../domain/upload-ports.ts'
import type { Upload } from '../domain/upload.ts'
import { lifetimeEnd, rejectTakenFileId, toUpload, type UploadRow } from './upload-row.ts'
import { createStatement, removeStatement } from './upload-statements.ts'
import type { UploadStoreOptions } from './upload-store.ts'

type RecordOptions = Pick<UploadStoreOptions, 'database' | 'clock' | 'bootId'>

export function createUploadRecords({ database, clock, bootId }: RecordOptions): UploadRecords {
  const { knex } = database

  async function createTogether(uploads: readonly NewUpload[]): Promise<Upload[]> {
    const rows = await database
      .query<UploadRow>({
        name: 'create-uploads',
        text: createStatement,
        values: creationValues(uploads, { bootId, clock }),
      })
      .catch(rejectTakenFileId)
      .catch(rejectFull)
    if (rows.length === 0) throw new AppError('share_too_large')
    const created = new Map(rows.map((row) => [row.id, toUpload(row)]))
    return uploads.flatMap(({ id }) => created.get(id) ?? [])
  }

  async function create(upload: NewUpload, { durable }: { durable: boolean }): Promise<Upload> {
    const [created] = await createTogether([upload])
    if (!created) throw new AppError('share_too_large')
    if (durable) await flush(database)
    return created
  }

  async function findBy(where: Record<string, string>): Promise<Upload | null> {
    const row = await knex<UploadRow>('uploads').where(where).first()
    return row ? toUpload(row) : null
  }

  const remove: UploadRecords['remove'] = async ({ upload, token }, { isGivenUp = false } = {}) => {
    const rows = await database.query({
      name: 'remove-upload',
      text: removeStatement,
      values: ['off', upload.id, token, isGivenUp],
    })
    // Its object goes next, which must not come before the row.
    if (rows.length > 0) await flush(database)
    return rows.length > 0
  }

  async function removeLost(objectKey: string): Promise<void> {
    const row = await knex<UploadRow>('uploads').where({ object_key: objectKey }).first()
    if (row && (row.finished_at === null || row.kind === 'partial')) {
      await remove({ upload: toUpload(row), token: row.lease_token })
    }
  }

  return {
    create,
    createTogether,
    find: (id) => findBy({ id }),
    findByFile: (shareUid, fileId) => findBy({ share_uid: shareUid, file_id: fileId }),
    listUnfinished: async (userId) => {
      const rows = await knex<UploadRow>('uploads')
        .where({ user_id: userId, kind: 'file' })
        .whereNull('finished_at')
        .orderBy('created_at', 'desc')
        .limit(1000)
      return rows.map(toUpload)
    },
    unfinishedIdsOf: async (shareUid) => {
      const rows = await knex<UploadRow>('uploads')
        .where({ share_uid: shareUid })
        .whereNull('finished_at')
        .select('id')
      return rows.map(({ id }) => id)
    },
    describeUnfinished: (shareUid, most) => describeUnfinished(database, shareUid, most),
    listExpired: async (limit) => {
      const rows = await knex<UploadRow>('uploads').where('expires_at', '<', clock()).limit(limit)
      return rows.map(toUpload)
    },
    forget: async (id) => {
      await knex('uploads').where({ id }).whereNotNull('finished_at').delete()
    },
    remove,
    removeLost,
  }
}

async function describeUnfinished(
  { query }: Pick<Database, 'query'>,
  shareUid: string,
  most: number,
): Promise<UnfinishedFiles> {
  const rows = await query<UnfinishedRow>({
    name: 'describe-unfinished-uploads',
    text: `with unfinished as (
             select id, name, created_at, greatest(received_bytes, offset_bytes) as received,
               greatest(length_bytes, received_bytes, offset_bytes) as size
             from uploads
             where share_uid = $1 and finished_at is null and kind <> 'partial'
           )
           select name, size as size_bytes, received as received_bytes,
             count(*) over () as file_count, (sum(size) over ())::bigint as all_bytes,
             (sum(received) over ())::bigint as all_received
           from unfinished order by created_at, id limit $2::bigint`,
    values: [shareUid, most],
  })
  const [first] = rows
  return {
    fileCount: first?.file_count ?? 0,
    sizeBytes: first?.all_bytes ?? 0,
    receivedBytes: first?.all_received ?? 0,
    files: rows.map(({ name, size_bytes: sizeBytes, received_bytes: receivedBytes }) => ({
      name,
      sizeBytes,
      receivedBytes,
    })),
  }
}

interface UnfinishedRow {
  name: string
  size_bytes: number
  received_bytes: number
  file_count: number
  all_bytes: number
  all_received: number
}

/** The parameters of `createStatement`, in their order. */
function creationValues(
  uploads: readonly NewUpload[],
  { bootId, clock }: Pick<UploadStoreOptions, 'bootId' | 'clock'>,
) {
  const [common] = uploads
  return [
    'off',
    uploads.map(({ id }) => id),
    uploads.map(({ fileId }) => fileId),
    uploads.map(({ name }) => name),
    uploads.map(({ metadata }) => metadata),
    uploads.map(({ concatenation }) => concatenation),
    uploads.map(({ lengthBytes }) => lengthBytes),
    uploads.map(({ chunkBytes }) => chunkBytes),
    uploads.map(({ objectKey }) => objectKey),
    uploads.map(({ reservedBytes }) => reservedBytes),
    common?.kind,
    common?.shareUid,
    common?.shareId,
    common?.userId,
    common?.chargedTo,
    bootId,
    clock(),
    common?.limits.maxShareBytes,
    common?.limits.maxUserBytes,
    common?.limits.maxInstanceBytes,
    lifetimeEnd(clock),
  ]
}
