import { type Database, type Knex, queryIn } from '@floe/db'
import { AppError } from '@floe/errors'
import { currentRequestId } from '@floe/log'
import type {
  CheckpointOptions,
  FinishedBytes,
  Lease,
  NewUpload,
  UploadStore,
} from '../domain/upload-ports.ts'
import type { Limits } from '../../quotas/domain/quotas.ts'
import {
  type Checkpoint,
  type Upload,
  UPLOAD_LIFETIME_MS,
  type UploadKind,
} from '../domain/upload.ts'
import { mayRemoveObjects } from '../../integrity/stores/guarded-objects.ts'
import { flush, rejectFull } from '../../quotas/stores/storage-usage-store.ts'
import {
  acquireStatement,
  checkpointStatement,
  createStatement,
  finishStatement,
  removeStatement,
  reserveStatement,
} from './upload-statements.ts'

interface UploadRow {
  id: string
  kind: UploadKind
  share_uid: string | null
  share_id: string | null
  user_id: string | null
  charged_to: string | null
  file_id: string
  name: string
  metadata: string | null
  concatenation: string | null
  length_bytes: number | null
  chunk_bytes: number | null
  object_key: string
  offset_bytes: number
  crc32: number
  synced_bytes: number
  synced_crc32: number
  boot_id: string
  discards_unverified: boolean
  reserved_bytes: number
  lease_token: number
  lease_holder: number | null
  created_at: Date
  expires_at: Date
  finished_at: Date | null
}

export interface UploadStoreOptions {
  database: Database
  clock: () => Date
  bootId: string
  /** Key of this process; a lease counts for as long as its holder is present. */
  instanceKey: number
  /** Without asking whether that may be: the store does, in the transaction it calls it from. */
  removeObject(key: string): Promise<void>
}

export function createUploadStore({
  database,
  clock,
  bootId,
  instanceKey,
  removeObject,
}: UploadStoreOptions): UploadStore {
  const { knex } = database
  const lifetimeEnd = () => new Date(clock().getTime() + UPLOAD_LIFETIME_MS)

  async function create(upload: NewUpload, { durable }: { durable: boolean }): Promise<Upload> {
    const rows = await database
      .query<UploadRow>({
        name: 'create-upload',
        text: createStatement,
        values: [
          'off',
          upload.id,
          upload.kind,
          upload.shareUid,
          upload.shareId,
          upload.userId,
          upload.fileId,
          upload.name,
          upload.metadata,
          upload.concatenation,
          upload.lengthBytes,
          upload.chunkBytes,
          upload.objectKey,
          bootId,
          upload.reservedBytes,
          clock(),
          lifetimeEnd(),
          upload.limits.maxShareBytes,
          upload.chargedTo,
          upload.limits.maxUserBytes,
          upload.limits.maxInstanceBytes,
        ],
      })
      .catch(rejectTakenFileId)
      .catch(rejectFull)
    const row = rows[0]
    if (!row) throw new AppError('share_too_large')
    if (durable) await flush(database)
    return toUpload(row)
  }

  async function findBy(where: Record<string, string>): Promise<Upload | null> {
    const row = await knex<UploadRow>('uploads').where(where).first()
    return row ? toUpload(row) : null
  }

  async function acquireLease(
    id: string,
  ): Promise<Lease | { heldBy: number | null; token: number } | 'absent'> {
    const [row] = await database.query<UploadRow>({
      name: 'acquire-upload-lease',
      text: acquireStatement,
      values: ['off', id, instanceKey, lifetimeEnd()],
    })
    if (row) return { upload: toUpload(row), token: row.lease_token }
    const held = await knex<UploadRow>('uploads').where({ id }).first('lease_holder', 'lease_token')
    if (!held) return 'absent'
    return { heldBy: held.lease_holder, token: held.lease_token }
  }

  async function saveCheckpoint(
    lease: Lease,
    checkpoint: Checkpoint,
    { release, durable, lengthBytes = null }: CheckpointOptions,
  ): Promise<void> {
    const rows = await database.query({
      name: 'save-upload-checkpoint',
      text: checkpointStatement,
      values: [
        durable ? 'on' : 'off',
        lease.upload.id,
        lease.token,
        checkpoint.offsetBytes,
        checkpoint.crc32,
        checkpoint.syncedBytes,
        checkpoint.syncedCrc32,
        checkpoint.bootId,
        checkpoint.discardsUnverified,
        lifetimeEnd(),
        release,
        lengthBytes,
      ],
    })
    if (rows.length === 0) throw new AppError('upload_interrupted')
  }

  async function releaseLease(lease: { upload: Pick<Upload, 'id'>; token: number }): Promise<void> {
    await knex('uploads')
      .where({ id: lease.upload.id, lease_token: lease.token, lease_holder: instanceKey })
      .update({ lease_holder: null })
  }

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

  const reserveOrEnd: UploadStore['reserveOrEnd'] = async (lease, reservedBytes, limits) => {
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

  async function finish(
    { upload, token }: Lease,
    { edition, sizeBytes, crc32, sha256 }: FinishedBytes,
  ): Promise<void> {
    const rows = await database
      .query({
        name: 'finish-upload',
        text: finishStatement,
        values: [
          upload.id,
          token,
          clock(),
          sizeBytes,
          crc32,
          lifetimeEnd(),
          sha256 ?? null,
          edition,
          currentRequestId(),
        ],
      })
      .catch(rejectTakenFileId)
    if (rows.length === 0) throw await lostLeaseError(knex, upload.id)
  }

  async function remove({ upload, token }: Lease): Promise<boolean> {
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
    acquireLease,
    saveCheckpoint,
    releaseLease,
    declareLength,
    setChunkBytes: async ({ upload, token }, chunkBytes) => {
      await knex('uploads')
        .where({ id: upload.id, lease_token: token })
        .update({ chunk_bytes: chunkBytes })
    },
    reserve,
    reserveOrEnd,
    finish,
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

async function lostLeaseError(trx: Knex, id: string): Promise<AppError> {
  const row = await trx('uploads').where({ id }).first('id')
  return new AppError(row ? 'upload_interrupted' : 'upload_gone')
}

function rejectTakenFileId(error: unknown): never {
  const UNIQUE_VIOLATION = '23505'
  if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) {
    throw new AppError('file_id_taken', { cause: error })
  }
  throw error
}

function toUpload(row: UploadRow): Upload {
  return {
    id: row.id,
    kind: row.kind,
    shareUid: row.share_uid,
    shareId: row.share_id,
    userId: row.user_id,
    chargedTo: row.charged_to,
    reservedBytes: row.reserved_bytes,
    fileId: row.file_id,
    name: row.name,
    metadata: row.metadata,
    concatenation: row.concatenation,
    lengthBytes: row.length_bytes,
    chunkBytes: row.chunk_bytes,
    objectKey: row.object_key,
    checkpoint: {
      offsetBytes: row.offset_bytes,
      crc32: row.crc32,
      syncedBytes: row.synced_bytes,
      syncedCrc32: row.synced_crc32,
      bootId: row.boot_id,
      discardsUnverified: row.discards_unverified,
    },
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}
