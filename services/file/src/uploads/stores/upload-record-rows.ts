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

  const remove: UploadRecords['remove'] = async ({ upload, token }) => {
    const rows = await database.query({
      name: 'remove-upload',
      text: removeStatement,
      values: ['off', upload.id, token],
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
