import { AppError } from '@floe/errors'
import { currentRequestId } from '@floe/log'
import type {
  CheckpointOptions,
  FinishedBytes,
  FinishedUpload,
  Lease,
  UploadProgress,
} from '../domain/upload-ports.ts'
import type { Checkpoint, Upload } from '../domain/upload.ts'
import {
  lifetimeEnd,
  lostLeaseError,
  rejectTakenFileId,
  toUpload,
  type UploadRow,
} from './upload-row.ts'
import {
  acquireStatement,
  checkpointStatement,
  finishStatement,
  noteReceivedStatement,
} from './upload-statements.ts'
import type { UploadStoreOptions } from './upload-store.ts'

type ProgressOptions = Pick<UploadStoreOptions, 'database' | 'clock' | 'instanceKey'>

export function createUploadProgress({
  database,
  clock,
  instanceKey,
}: ProgressOptions): UploadProgress {
  const { knex } = database

  async function acquireLease(
    id: string,
  ): Promise<Lease | { heldBy: number | null; token: number } | 'absent'> {
    const [row] = await database.query<UploadRow>({
      name: 'acquire-upload-lease',
      text: acquireStatement,
      values: ['off', id, instanceKey, lifetimeEnd(clock)],
    })
    if (row) return { upload: toUpload(row), token: row.lease_token }
    const held = await knex<UploadRow>('uploads').where({ id }).first('lease_holder', 'lease_token')
    if (!held) return 'absent'
    return { heldBy: held.lease_holder, token: held.lease_token }
  }

  async function saveCheckpoint(
    lease: Lease,
    checkpoint: Checkpoint,
    options: CheckpointOptions,
  ): Promise<void> {
    const rows = await database.query({
      name: 'save-upload-checkpoint',
      text: checkpointStatement,
      values: checkpointValues(lease, checkpoint, { ...options, expiresAt: lifetimeEnd(clock) }),
    })
    if (rows.length === 0) throw new AppError('upload_interrupted')
  }

  async function releaseLease(lease: { upload: Pick<Upload, 'id'>; token: number }): Promise<void> {
    await knex('uploads')
      .where({ id: lease.upload.id, lease_token: lease.token, lease_holder: instanceKey })
      .update({ lease_holder: null })
  }

  async function noteReceived({ upload: { id }, token }: Lease, bytes: number): Promise<void> {
    await database.query({
      name: 'note-received-bytes',
      text: noteReceivedStatement,
      values: ['off', id, token, bytes],
    })
  }

  const finishTogether: UploadProgress['finishTogether'] = async (uploads) => {
    if (uploads.length === 0) return new Set()
    const rows = await database
      .query<{ id: string }>({
        name: 'finish-uploads',
        text: finishStatement,
        values: finishValues(uploads, clock),
      })
      .catch(rejectTakenFileId)
    return new Set(rows.map(({ id }) => id))
  }

  async function finish(lease: Lease, bytes: FinishedBytes): Promise<void> {
    const { id } = lease.upload
    const finished = await finishTogether([{ lease, bytes, requestId: currentRequestId() }])
    if (!finished.has(id)) throw await lostLeaseError(knex, id)
  }

  return {
    acquireLease,
    releaseLease,
    saveCheckpoint,
    noteReceived,
    finish,
    finishTogether,
  }
}

/** The parameters of `finishStatement`, in their order. */
function finishValues(uploads: readonly FinishedUpload[], clock: () => Date) {
  return [
    uploads.map(({ lease }) => lease.upload.id),
    uploads.map(({ lease }) => lease.token),
    uploads.map(({ bytes }) => bytes.sizeBytes),
    uploads.map(({ bytes }) => bytes.crc32),
    uploads.map(({ bytes }) => bytes.sha256 ?? null),
    uploads.map(({ bytes }) => bytes.edition),
    uploads.map(({ requestId }) => requestId),
    clock(),
    lifetimeEnd(clock),
  ]
}

/** The parameters of `checkpointStatement`, in their order. */
function checkpointValues(
  lease: Lease,
  checkpoint: Checkpoint,
  { release, durable, lengthBytes = null, expiresAt }: CheckpointOptions & { expiresAt: Date },
) {
  return [
    durable ? 'on' : 'off',
    lease.upload.id,
    lease.token,
    checkpoint.offsetBytes,
    checkpoint.crc32,
    checkpoint.syncedBytes,
    checkpoint.syncedCrc32,
    checkpoint.bootId,
    checkpoint.discardsUnverified,
    expiresAt,
    release,
    lengthBytes,
  ]
}
