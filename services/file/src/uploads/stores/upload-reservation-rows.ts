import { queryIn } from '@floe/db'
import { AppError } from '@floe/errors'
import { mayRemoveObjects } from '../../integrity/stores/guarded-objects.ts'
import type { Limits } from '../../quotas/domain/quotas.ts'
import { flush, rejectFull } from '../../quotas/stores/storage-usage-store.ts'
import type { Lease, UploadReservations } from '../domain/upload-ports.ts'
import type { Upload } from '../domain/upload.ts'
import { lostLeaseError, toUpload, type UploadRow } from './upload-row.ts'
import { reserveStatement } from './upload-statements.ts'
import type { UploadStoreOptions } from './upload-store.ts'

type ReservationOptions = Pick<UploadStoreOptions, 'database' | 'removeObject'>

export function createUploadReservations({
  database,
  removeObject,
}: ReservationOptions): UploadReservations {
  const { knex } = database

  /** What became of it; null if there is no such upload, or its lease was lost. */
  async function changeReservation(
    lease: Lease,
    change: ReservationChange,
  ): Promise<ReservationRow | null> {
    const [row] = await database
      .query<ReservationRow>({
        name: 'change-upload-reservation',
        text: reserveStatement,
        values: reservationValues(lease, change),
      })
      .catch(rejectFull)
    return row ?? null
  }

  async function declareLength(lease: Lease, lengthBytes: number, limits: Limits): Promise<Upload> {
    const change = { reservedBytes: lengthBytes, lengthBytes, limits }
    const row = await changeReservation(lease, change)
    if (!row) throw new AppError('upload_length_conflict')
    if (row.outcome !== 'fits') throw new AppError(refusals[row.outcome])
    await flush(database)
    return toUpload(row)
  }

  async function reserve(lease: Lease, reservedBytes: number, limits: Limits): Promise<void> {
    const row = await changeReservation(lease, { reservedBytes, limits })
    // Fenced: a late settlement must not undo what a newer connection set aside.
    if (!row) throw await lostLeaseError(knex, lease.upload.id)
    if (row.outcome !== 'fits') throw new AppError(refusals[row.outcome])
  }

  const reserveOrEnd: UploadReservations['reserveOrEnd'] = async (lease, reservedBytes, limits) => {
    const values = reservationValues(lease, { reservedBytes, limits, endsUpload: true })
    const outcome = await knex.transaction(async (trx) => {
      const statement = { name: 'reserve-or-end-upload', text: reserveStatement, values }
      const [row] = await queryIn(trx)<ReservationRow>(statement).catch(rejectFull)
      if (row && row.outcome !== 'fits' && (await mayRemoveObjects(trx))) {
        await removeObject(lease.upload.objectKey)
      }
      return row?.outcome
    })
    if (outcome === undefined) throw await lostLeaseError(knex, lease.upload.id)
    if (outcome !== 'fits') throw new AppError(refusals[outcome])
  }

  return {
    declareLength,
    setChunkBytes: async ({ upload, token }, chunkBytes) => {
      await knex('uploads')
        .where({ id: upload.id, lease_token: token })
        .update({ chunk_bytes: chunkBytes })
    },
    reserve,
    reserveOrEnd,
  }
}

/** Which limit the bytes would pass. */
type Outcome = 'fits' | keyof typeof refusals

const refusals = {
  share: 'share_too_large',
  user: 'quota_exceeded',
  instance: 'instance_quota_exceeded',
} as const

interface ReservationChange {
  reservedBytes: number
  /** Declares the length as well, which may be done once. */
  lengthBytes?: number | null
  limits: Limits
  endsUpload?: boolean
}

function reservationValues(
  { upload, token }: Lease,
  { reservedBytes, lengthBytes = null, limits, endsUpload = false }: ReservationChange,
) {
  const { maxShareBytes, maxUserBytes, maxInstanceBytes } = limits
  return [
    'off',
    upload.id,
    token,
    reservedBytes,
    lengthBytes,
    maxShareBytes,
    maxUserBytes,
    maxInstanceBytes,
    endsUpload,
  ]
}

type ReservationRow = UploadRow & { outcome: Outcome }
