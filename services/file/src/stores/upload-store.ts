import { appendEventSql, type Database, type Knex, queryIn } from '@floe/db'
import { AppError } from '@floe/errors'
import { currentRequestId } from '@floe/request-context'
import type { FinishedBytes, Lease, NewUpload, UploadStore } from '../domain/ports.ts'
import type { Limits } from '../domain/quotas.ts'
import {
  type Checkpoint,
  type Upload,
  UPLOAD_LIFETIME_MS,
  type UploadKind,
} from '../domain/upload.ts'
import { mayRemoveObjects } from './guarded-objects.ts'
import { chargeSql, flush, INSTANCE_ID, rejectFull } from './storage-usage-store.ts'

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

// A commit that need not be flushed by itself: the setting lasts for this statement's transaction.
const commitMode = `mode as (select set_config('synchronous_commit', $1, true))`

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
    { release, durable }: { release: boolean; durable: boolean },
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

// The rows of counters are there from the creation of an upload on, so that a reservation can lock
// them; they are locked in one order everywhere: share, user, instance.
const createStatement = `
  with ${commitMode}, counted as (
    insert into share_totals (share_uid, charged_to, reserved_bytes)
    select $4::uuid, $19::uuid, $15::bigint from mode
    where $4::uuid is not null and ($18::bigint = 0 or $15::bigint <= $18::bigint)
    on conflict (share_uid) do update
      set reserved_bytes = share_totals.reserved_bytes + excluded.reserved_bytes
      where $18::bigint = 0 or share_totals.reserved_bytes + excluded.reserved_bytes <= $18::bigint
    returning share_uid
  ), charge as (
    select $19::uuid as charged_to, $15::numeric as bytes
    from mode left join counted on true
    where $4::uuid is null or counted.share_uid is not null
  ), charged as (
    ${chargeSql('charge', { user: '$20', instance: '$21' })}
    returning owner_id
  )
  insert into uploads (id, kind, share_uid, share_id, user_id, file_id, name, metadata,
    concatenation, length_bytes, chunk_bytes, object_key, boot_id, reserved_bytes, created_at,
    expires_at, discards_unverified, charged_to)
  select $2, $3, $4::uuid, $5, $6::uuid, $7::uuid, $8, $9, $10, $11::bigint, $12::bigint, $13, $14,
    $15::bigint, $16::timestamptz, $17::timestamptz, $3 = 'chunk', $19::uuid
  from mode
  where exists (select 1 from charged)
  returning *`

// Decides over locked rows, then changes all that belongs together or nothing.
const reserveStatement = `
  with ${commitMode}, before as (
    select uploads.* from uploads cross join mode
    where id = $2 and lease_token = $3::bigint and ($5::bigint is null or length_bytes is null)
    for update of uploads
  ), total as (
    select share_totals.reserved_bytes from share_totals join before using (share_uid)
    for update of share_totals
  ), accounts as (
    select storage_usage.owner_id, used_bytes
    from before left join total on true
    join storage_usage on owner_id in (before.charged_to, '${INSTANCE_ID}')
    order by owner_id desc
    for update of storage_usage
  ), used as (
    select coalesce(max(used_bytes) filter (where owner_id <> '${INSTANCE_ID}'), 0) as by_user,
      coalesce(max(used_bytes) filter (where owner_id = '${INSTANCE_ID}'), 0) as by_all
    from accounts
  ), verdict as (
    select before.id, before.share_uid, before.charged_to, before.reserved_bytes,
      $4::bigint - before.reserved_bytes as delta,
      case
        when $4::bigint <= before.reserved_bytes then 'fits'
        when $6::bigint > 0 and total.reserved_bytes + $4::bigint - before.reserved_bytes > $6::bigint
          then 'share'
        when $7::bigint > 0 and before.charged_to is not null
          and by_user + $4::bigint - before.reserved_bytes > $7::bigint then 'user'
        when $8::bigint > 0 and by_all + $4::bigint - before.reserved_bytes > $8::bigint
          then 'instance'
        else 'fits'
      end as outcome
    from before cross join used left join total on true
  ), changed as (
    update uploads
    set reserved_bytes = $4::bigint, length_bytes = coalesce($5::bigint, uploads.length_bytes)
    from verdict
    where uploads.id = verdict.id and outcome = 'fits'
    returning uploads.*
  ), ended as (
    delete from uploads using verdict
    where uploads.id = verdict.id and outcome <> 'fits' and $9::boolean
  ), charge as (
    select share_uid, charged_to,
      case when outcome = 'fits' then delta when $9::boolean then -reserved_bytes else 0 end as bytes
    from verdict
  ), recounted as (
    update share_totals set reserved_bytes = share_totals.reserved_bytes + charge.bytes
    from charge
    where share_totals.share_uid = charge.share_uid and charge.bytes <> 0
  ), charged as (
    ${chargeSql('charge', { user: '$7', instance: '$8' })}
  )
  select changed.*, verdict.outcome from verdict left join changed using (id)`

const removeStatement = `
  with ${commitMode}, removed as (
    delete from uploads using mode
    where id = $2 and lease_token = $3::bigint
    returning share_uid, charged_to, file_id, reserved_bytes
  ), unfiled as (
    delete from files using removed
    where files.share_uid = removed.share_uid and files.id = removed.file_id
  ), recounted as (
    update share_totals set reserved_bytes = share_totals.reserved_bytes - removed.reserved_bytes
    from removed where share_totals.share_uid = removed.share_uid
    returning share_totals.share_uid
  ), charge as (
    select charged_to, -removed.reserved_bytes as bytes
    from removed left join recounted using (share_uid)
  ), charged as (
    ${chargeSql('charge')}
  )
  select 1 from removed`

// Liveness is asked only of a stranger's lease: a lease of this very process that nobody here
// remembers was left by a failed request.
const acquireStatement = `
  with ${commitMode}
  update uploads
  set lease_token = lease_token + 1, lease_holder = $3::int,
      expires_at = case when finished_at is null then $4::timestamptz else expires_at end
  from mode
  where id = $2 and case
    when lease_holder is null or lease_holder = $3::int then true
    else not exists (
      select 1 from pg_locks
      where locktype = 'advisory' and objsubid = 2 and granted and classid = 1179385858
        and objid::bigint::int = lease_holder
        and database = (select oid from pg_database where datname = current_database()))
    end
  returning uploads.*`

// One statement is one round trip and one durable commit: with many small files nothing costs more.
// From here on the share is charged exactly what the file holds.
const finishStatement = `
  with before as (
    select id, reserved_bytes from uploads
    where id = $1 and lease_token = $2::bigint and finished_at is null for update
  ), finished as (
    update uploads
    set finished_at = $3::timestamptz, lease_holder = null, length_bytes = $4::bigint,
        offset_bytes = $4::bigint, crc32 = $5::bigint, reserved_bytes = $4::bigint,
        expires_at = $6::timestamptz
    from before
    where uploads.id = before.id
    returning uploads.kind, uploads.share_uid, uploads.charged_to, uploads.file_id, uploads.name,
      uploads.object_key, $4::bigint - before.reserved_bytes as uncounted_bytes
  ), filed as (
    insert into files
      (share_uid, id, name, size_bytes, crc32, sha256, object_key, created_at, added_edition)
    select share_uid, file_id, name, $4::bigint, $5::bigint, $7::bytea, object_key,
      $3::timestamptz, $8::int
    from finished where kind <> 'partial' and share_uid is not null
    returning share_uid, id
  ), recounted as (
    update share_totals set reserved_bytes = reserved_bytes + uncounted_bytes
    from finished
    where share_totals.share_uid = finished.share_uid and kind <> 'partial' and uncounted_bytes <> 0
    returning share_totals.share_uid
  ), charge as (
    select charged_to, uncounted_bytes as bytes
    from finished left join recounted using (share_uid)
    where uncounted_bytes <> 0
  ), charged as (
    ${chargeSql('charge')}
  ), told as (
    ${appendEventSql('upload.finished', {
      payload: "jsonb_build_object('shareUid', share_uid, 'fileId', id)",
      requestId: '$9::text',
      from: 'filed',
    })}
  )
  select share_uid from finished`

const checkpointStatement = `
  with ${commitMode}
  update uploads
  set offset_bytes = $4::bigint, crc32 = $5::bigint, synced_bytes = $6::bigint,
      synced_crc32 = $7::bigint, boot_id = $8, discards_unverified = $9::boolean,
      expires_at = $10::timestamptz,
      lease_holder = case when $11::boolean then null else lease_holder end
  from mode
  where id = $2 and lease_token = $3::bigint and finished_at is null
  returning id`

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
