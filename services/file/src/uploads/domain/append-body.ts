import type { Readable } from 'node:stream'
import { AppError } from '@floe/errors'
import type { ObjectStore, ObjectWriter, Position } from '@floe/storage'
import type { MemoryShare } from '@floe/transfer'
import { type ExpectedChecksum, type RunningDigest, startDigest } from './checksum.ts'
import type { HeldLease } from './lease-keeper.ts'
import { type BodyEnd, receiveBody } from '@floe/transfer'
import type { BodyReservation } from './reserve-body.ts'
import { syncedPosition } from './stored-position.ts'
import type { UploadProgress } from './upload-ports.ts'
import type { UploadTarget, UploadTargets } from './upload-targets.ts'
import { type Checkpoint, CHECKPOINT_BYTES, type Upload } from './upload.ts'

export interface AppendOptions {
  /** Bounds what this body may add; settled while the upload is still held. */
  reservation: BodyReservation
  checksum?: ExpectedChecksum
  /** Keep the body only as a whole: the chunk protocol counts in whole chunks. */
  wholeOnly?: boolean
  /** Also the end of the upload, whatever its declared length says. */
  isLast?: boolean
  /** Awaited before the first byte is stored: it may be asked for while the body comes in. */
  target: UploadTarget | Promise<UploadTarget>
}

export interface AppendResult extends Position {
  end: BodyEnd
  finished: boolean
}

/** The upload that a body is appended to, and what the appending needs. */
export interface AppendDependencies {
  store: Pick<UploadProgress, 'saveCheckpoint' | 'finish'>
  objects: Pick<ObjectStore, 'openWriter'>
  targets: Pick<UploadTargets, 'ask' | 'confirm'>
  bootId: string
  upload: Upload
  lease: HeldLease
  /** Where the upload ends before this body. */
  start: Position
  /** Stands at `start`. */
  writer: ObjectWriter
  share: Pick<MemoryShare, 'batchBytes' | 'release'>
  /** Told of bytes on their way into the object. */
  onMoved(bytes: number): void
  /** Told when the lease was given back with the row. */
  onRowReleased(): void
}

/** One body while it is appended. */
interface Appending extends AppendDependencies {
  readonly reservation: BodyReservation
  readonly digest: RunningDigest | null
  /** What has come of an interrupted body is kept; otherwise it is kept whole or not at all. */
  readonly keepsPartial: boolean
  readonly isLast: boolean
  /** Where the stored bytes end. */
  end: Position
  /** Bytes up to here may be stored as well: a write failed, and part of it may be there. */
  offeredBytes: number
  synced: Position
  /** Where progress was saved last. */
  savedBytes: number
  target: UploadTarget | Promise<UploadTarget>
  /** The reservation had no space for the rest of the body. */
  isRefused: boolean
  isRowReleased: boolean
}

/**
 * Reads a body onto the end of the object; acknowledges nothing that is not stored. Returns a
 * checkpoint instead of saving it where the next body of the sender may follow at once.
 */
export async function appendBody(
  dependencies: AppendDependencies,
  body: Readable,
  options: AppendOptions,
): Promise<AppendResult & { checkpoint?: Checkpoint }> {
  const appending = begin(dependencies, options)
  const { lease, reservation, writer, share } = appending
  try {
    await saveMode(appending)
    const end = await receiveBody(body, {
      // One batch gathers while another is written: each may be half of the stream's share.
      batch: {
        get batchBytes() {
          return Math.min(writer.batchBytes, share.batchBytes / 2)
        },
        release: share.release,
      },
      maxBytes: reservation.maxBytes,
      onArrival: lease.hear,
      signal: lease.signal,
      onBatch: (chunks, bytes) => storeBatch(appending, chunks, bytes),
    })
    return await conclude(appending, end)
  } catch (error) {
    if (appending.isRefused) await dropBody(appending)
    if (!appending.isRowReleased) {
      await reservation.settle(appending.offeredBytes).catch(() => undefined)
    }
    throw error
  }
}

function begin(
  dependencies: AppendDependencies,
  { reservation, checksum, wholeOnly = false, isLast = false, target }: AppendOptions,
): Appending {
  const { start, upload } = dependencies
  const digest = checksum === undefined ? null : startDigest(checksum)
  const synced = syncedPosition(upload.checkpoint, start)
  return {
    ...dependencies,
    reservation,
    digest,
    keepsPartial: !wholeOnly && digest === null,
    isLast,
    end: start,
    offeredBytes: start.offsetBytes,
    synced,
    savedBytes: synced.offsetBytes,
    target,
    isRefused: false,
    isRowReleased: false,
  }
}

/**
 * How bytes past the row are to be taken must be known before the first of them is stored, together
 * with the bytes adopted until now: a row that says "drop" would drop those too.
 */
async function saveMode(appending: Appending): Promise<void> {
  const { upload, bootId, keepsPartial, store, lease } = appending
  const { checkpoint } = upload
  if (checkpoint.bootId === bootId && checkpoint.discardsUnverified !== keepsPartial) return
  await store.saveCheckpoint(lease, progressOf(appending), { release: false, durable: true })
}

async function storeBatch(
  appending: Appending,
  chunks: readonly Buffer[],
  bytes: number,
): Promise<void> {
  const { reservation, writer, lease, digest, keepsPartial } = appending
  await appending.target
  const offeredBytes = appending.end.offsetBytes + bytes
  await reservation.cover(offeredBytes).catch((error: unknown) => {
    appending.isRefused = true
    throw error
  })
  appending.offeredBytes = offeredBytes
  const written = writer.write(chunks, lease.signal)
  if (digest) for (const chunk of chunks) digest.update(chunk)
  appending.onMoved(bytes)
  await written
  appending.end = writer.position
  lease.hear()
  const unsavedBytes = appending.end.offsetBytes - appending.savedBytes
  if (keepsPartial && unsavedBytes >= CHECKPOINT_BYTES) await saveOnTheWay(appending)
}

/** Bounds what a crash may lose of a long body, and asks whether its share still wants it. */
async function saveOnTheWay(appending: Appending): Promise<void> {
  const { writer, store, lease, targets, upload } = appending
  noteFlushed(appending, await writer.flush({ maxLagBytes: CHECKPOINT_BYTES }))
  appending.savedBytes = appending.end.offsetBytes
  await store.saveCheckpoint(lease, progressOf(appending), { release: false, durable: false })
  appending.target = await targets.ask(upload)
}

async function conclude(
  appending: Appending,
  end: BodyEnd,
): Promise<AppendResult & { checkpoint?: Checkpoint }> {
  const { upload, digest, keepsPartial, isLast, writer, reservation } = appending
  const isMismatch = end === 'complete' && digest !== null && !digest.matches()
  if (isMismatch || end === 'overflow' || (end === 'cut' && !keepsPartial)) {
    await dropBody(appending)
    if (isMismatch) throw new AppError('upload_checksum_mismatch')
    return { ...appending.end, end, finished: false }
  }
  const finished = isLast ? end === 'complete' : appending.end.offsetBytes === upload.lengthBytes
  const result = { ...appending.end, end, finished }
  if (finished) {
    await makeFile(appending)
    return result
  }
  // What is acknowledged outlives this process.
  noteFlushed(appending, await writer.keep())
  if (keepsPartial && end === 'complete') {
    await reservation.settle(appending.end.offsetBytes)
    return { ...result, checkpoint: progressOf(appending) }
  }
  await releaseRow(appending)
  return result
}

async function makeFile(appending: Appending): Promise<void> {
  const { upload, lease, store, targets, writer, reservation, keepsPartial } = appending
  const { offsetBytes: sizeBytes, crc32 } = appending.end
  // A store need not take back what it was told to finish. All of it has come and is verified, so
  // after a crash the next request finishes it, and does not ask for the body again.
  if (!keepsPartial) {
    const whole = { ...progressOf(appending), discardsUnverified: false }
    const how = { release: false, durable: true, lengthBytes: sizeBytes }
    await store.saveCheckpoint(lease, whole, how)
  }
  await writer.finish()
  const { edition } = await targets.confirm(upload, await appending.target)
  // The counters are held for as long as a commit takes, which with a file is long.
  await reservation.settle(sizeBytes)
  await store.finish(lease, { edition, sizeBytes, crc32 })
  tellReleased(appending)
}

/** Takes back what came of the body: nothing unverified may later be taken for stored bytes. */
async function dropBody(appending: Appending): Promise<void> {
  const { start, upload, writer, objects } = appending
  appending.end = start
  appending.offeredBytes = start.offsetBytes
  appending.synced = syncedPosition(upload.checkpoint, start)
  await writer.close()
  await (await objects.openWriter(upload.objectKey, start)).close()
  await releaseRow(appending)
}

/** Bytes of plain uploads are found again in the object; whole bodies only by this row. */
async function releaseRow(appending: Appending): Promise<void> {
  const { reservation, store, lease, keepsPartial } = appending
  await reservation.settle(appending.end.offsetBytes)
  const how = { release: true, durable: !keepsPartial }
  await store.saveCheckpoint(lease, progressOf(appending), how)
  tellReleased(appending)
}

function tellReleased(appending: Appending): void {
  appending.isRowReleased = true
  appending.onRowReleased()
}

function noteFlushed(appending: Appending, flushed: Position): void {
  if (flushed.offsetBytes > appending.synced.offsetBytes) appending.synced = flushed
}

function progressOf({ end, synced, bootId, keepsPartial }: Appending): Checkpoint {
  return {
    ...end,
    syncedBytes: synced.offsetBytes,
    syncedCrc32: synced.crc32,
    bootId,
    discardsUnverified: !keepsPartial,
  }
}
