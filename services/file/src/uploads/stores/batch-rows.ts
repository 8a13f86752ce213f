import type { Database } from '@floe/db'
import { currentRequestId } from '@floe/log'
import { INSTANCE_ID, rejectFull } from '../../quotas/stores/storage-usage-store.ts'
import type { BatchStore, SentFile } from '../domain/batch-ports.ts'
import { AppError } from '@floe/errors'
import { finishStatement, stageStatement } from './batch-statements.ts'
import type { UploadStoreOptions } from './upload-store.ts'

/** A staged file whose process died goes after this long. */
const STAGED_LIFETIME_MS = 10 * 60_000

export function createBatchStore({
  database,
  clock,
  bootId,
}: Pick<UploadStoreOptions, 'database' | 'clock' | 'bootId'>): BatchStore {
  return {
    ...createBatchReads(database),

    stage: async (grant, limits, files) => {
      const now = clock()
      const rows = await database
        .query({
          name: 'stage-batch',
          text: stageStatement,
          values: [
            files.map(({ uploadId }) => uploadId),
            files.map(({ stagedId }) => stagedId),
            files.map(({ name }) => name),
            files.map(({ sizeBytes }) => sizeBytes),
            files.map(({ objectKey }) => objectKey),
            grant.shareUid,
            grant.chargedTo,
            limits.maxShareBytes,
            limits.maxUserBytes,
            limits.maxInstanceBytes,
            grant.shareId,
            grant.userId,
            bootId,
            now,
            new Date(now.getTime() + STAGED_LIFETIME_MS),
          ],
        })
        .catch(rejectFull)
      if (rows.length === 0) throw new AppError('share_too_large')
    },

    finish: async (files: readonly SentFile[], edition) => {
      const rows = await database.query<{ id: string }>({
        name: 'finish-batch',
        text: finishStatement,
        values: [
          files.map(({ uploadId }) => uploadId),
          files.map(({ id }) => id),
          files.map(({ crc32 }) => crc32),
          files.map(({ sha256 }) => sha256),
          clock(),
          edition,
          currentRequestId(),
        ],
      })
      return new Set(rows.map(({ id }) => id))
    },
  }
}

function createBatchReads({
  query,
}: Pick<Database, 'query'>): Pick<BatchStore, 'findKnown' | 'measureCharges'> {
  return {
    findKnown: async (shareUid, ids) => {
      const rows = await query<KnownRow>({
        name: 'find-known-files',
        text: `select id, size_bytes, crc32, removed_edition is not null as is_removed
               from files where share_uid = $1 and id = any($2::uuid[])`,
        values: [shareUid, ids],
      })
      return new Map(
        rows.map(({ id, size_bytes: sizeBytes, crc32, is_removed: isRemoved }) => [
          id,
          { sizeBytes, crc32, isRemoved },
        ]),
      )
    },

    measureCharges: async (shareUid, chargedTo) => {
      const [row] = await query<ChargeRow>({
        name: 'measure-charges',
        text: `select
            coalesce((select reserved_bytes from share_totals where share_uid = $1), 0)::bigint
              as share_bytes,
            coalesce((select used_bytes from storage_usage where owner_id = $2), 0)::bigint
              as user_bytes,
            coalesce((select used_bytes from storage_usage where owner_id = $3), 0)::bigint
              as instance_bytes`,
        values: [shareUid, chargedTo, INSTANCE_ID],
      })
      return {
        shareBytes: row?.share_bytes ?? 0,
        userBytes: row?.user_bytes ?? 0,
        instanceBytes: row?.instance_bytes ?? 0,
      }
    },
  }
}

interface KnownRow {
  id: string
  size_bytes: number
  crc32: number
  is_removed: boolean
}

interface ChargeRow {
  share_bytes: number
  user_bytes: number
  instance_bytes: number
}
