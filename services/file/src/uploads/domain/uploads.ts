import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { crc32 as updateCrc32 } from 'node:zlib'
import { AppError } from '@floe/errors'
import type { ByteBudget, ObjectStore, ObjectWriter } from '@floe/storage'
import type { HeldLease, LeaseKeeper, LeasePurpose } from './lease-keeper.ts'
import { createPausedUploads, type PausedUpload, type PausedUploads } from './paused-uploads.ts'
import type { UploadStore } from './upload-ports.ts'
import { type BodyEnd, receiveBody } from './receive-body.ts'
import type { BodyReservation } from './reserve-body.ts'
import {
  type Checkpoint,
  CHECKPOINT_BYTES,
  isComplete,
  type Upload,
  UPLOAD_LIFETIME_MS,
} from './upload.ts'
import type { TransferMeter } from '../../transfers/transfer-meter.ts'
import type { UploadTarget, UploadTargets } from './upload-targets.ts'

const WARM_BATCH_BYTES = 256 * 1024

/** A digest the sender promised for one request body. */
export interface ExpectedChecksum {
  algorithm: 'crc32' | 'sha1' | 'sha256' | 'md5'
  digest: Buffer
}

export interface Position {
  offsetBytes: number
  crc32: number
}

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

export interface UploadsOptions {
  store: UploadStore
  objects: ObjectStore
  leases: LeaseKeeper
  budget: ByteBudget
  targets: UploadTargets
  bootId: string
  meter: TransferMeter
  clock: () => Date
}

/** Moves bytes from requests into objects, and always knows how many are safely there. */
export interface Uploads {
  /**
   * Takes the upload over from whoever writes to it, to `append` only from one whose sender is not
   * heard any more, and finds out where its bytes end.
   */
  open(uploadId: string, purpose: Exclude<LeasePurpose, 'end'>): Promise<OpenUpload>
}

export interface OpenUpload {
  /** Replaced when its length is declared. */
  upload: Upload
  /** Still open from the request before. */
  readonly isContinued: boolean
  readonly lease: HeldLease
  readonly position: Position
  /** Reads the body onto the object's end; acknowledges nothing that is not stored. */
  append(req: IncomingMessage, options: AppendOptions): Promise<AppendResult>
  /** Completes the upload at its present end. */
  finish(target: UploadTarget): Promise<void>
  /** Gives the upload back without having written. */
  close(): Promise<void>
}

export function createUploads(options: UploadsOptions): Uploads {
  const paused = createPausedUploads({ letGo: (upload) => letGo(options.store, upload) })
  return {
    open: async (uploadId, purpose) => {
      const waiting = paused.take(uploadId)
      if (waiting) {
        const { lease, upload, writer } = waiting
        if (purpose === 'append') lease.hear()
        return openUpload({ ...options, paused }, { lease, upload, writer }, upload.checkpoint)
      }
      const lease = await options.leases.acquire(uploadId, purpose)
      try {
        const position = await findEnd(options, lease)
        const held = { lease, upload: lease.upload, writer: null }
        return openUpload({ ...options, paused }, held, position)
      } catch (error) {
        await lease.end({ rowReleased: false })
        throw error
      }
    },
  }
}

/**
 * Where the trusted bytes end. After a killed process the object may hold more than the last
 * checkpoint tells: those bytes are adopted by running the checksum over them, unless a promised
 * checksum was never verified or the machine itself went down with them unsynced.
 */
async function findEnd(
  { objects, bootId }: UploadsOptions,
  { upload }: HeldLease,
): Promise<Position> {
  const { checkpoint } = upload
  if (isComplete(upload)) return checkpoint
  const noted = await objects.syncedEnd(upload.objectKey)
  // What was never verified begins where the row says; all else is as safe as the object knows.
  if (noted !== null) return checkpoint.discardsUnverified ? earlierOf(checkpoint, noted) : noted
  const sameBoot = checkpoint.bootId === bootId
  const trusted: Position = sameBoot
    ? checkpoint
    : { offsetBytes: checkpoint.syncedBytes, crc32: checkpoint.syncedCrc32 }
  const storedBytes = await objects.storedBytes(upload.objectKey)
  if (storedBytes === null) {
    const planned = upload.lengthBytes === null ? {} : { expectedBytes: upload.lengthBytes }
    await objects.create(upload.objectKey, planned)
    return { offsetBytes: 0, crc32: 0 }
  }
  if (storedBytes < trusted.offsetBytes) {
    return adoptBytes(objects, upload, { offsetBytes: 0, crc32: 0 }, storedBytes)
  }
  if (storedBytes === trusted.offsetBytes || !sameBoot || checkpoint.discardsUnverified) {
    return trusted
  }
  const end = Math.min(storedBytes, upload.lengthBytes ?? storedBytes)
  return adoptBytes(objects, upload, trusted, end)
}

function earlierOf(one: Position, other: Position): Position {
  const { offsetBytes, crc32 } = one.offsetBytes <= other.offsetBytes ? one : other
  return { offsetBytes, crc32 }
}

async function adoptBytes(
  objects: ObjectStore,
  { objectKey }: Upload,
  from: Position,
  endBytes: number,
): Promise<Position> {
  const reader = await objects.openReader(objectKey)
  try {
    const buffer = Buffer.allocUnsafe(1024 * 1024)
    let { offsetBytes, crc32 } = from
    while (offsetBytes < endBytes) {
      const wanted = buffer.subarray(0, Math.min(buffer.length, endBytes - offsetBytes))
      const bytes = await reader.read(wanted, offsetBytes)
      if (bytes === 0) break
      crc32 = updateCrc32(wanted.subarray(0, bytes), crc32)
      offsetBytes += bytes
    }
    return { offsetBytes, crc32 }
  } finally {
    await reader.close()
  }
}

/** The end of a pause without a next request. */
async function letGo(store: UploadStore, { upload, lease, writer }: PausedUpload): Promise<void> {
  let rowReleased = false
  try {
    await writer.close()
    await store.saveCheckpoint(lease, upload.checkpoint, { release: true, durable: false })
    rowReleased = true
  } catch {
    // The bytes are in the object, and are found there by whoever opens it next.
  } finally {
    await lease.end({ rowReleased })
  }
}

interface AppendMeans {
  participant: { readonly batchBytes: number }
  transfer: { moved(bytes: number): void }
}

interface Held {
  lease: HeldLease
  upload: Upload
  /** Open since the request before; null if the object is still to be opened. */
  writer: ObjectWriter | null
}

function openUpload(
  {
    store,
    objects,
    budget,
    targets,
    bootId,
    meter,
    clock,
    paused,
  }: UploadsOptions & { paused: PausedUploads },
  held: Held,
  { offsetBytes: startBytes, crc32: startCrc32 }: Position,
): OpenUpload {
  const { lease } = held
  const start: Position = { offsetBytes: startBytes, crc32: startCrc32 }
  let rowReleased = false
  const open: OpenUpload = {
    upload: held.upload,
    isContinued: held.writer !== null,
    lease,
    position: start,
    append,
    finish,
    close,
  }
  return open

  async function append(req: IncomingMessage, options: AppendOptions): Promise<AppendResult> {
    const participant = budget.join()
    const transfer = meter.transferBegins('upload')
    let isPaused = false
    try {
      const writer = held.writer ?? (await objects.openWriter(open.upload.objectKey, start))
      try {
        const { checkpoint, ...result } = await appendTo(writer, req, options, {
          participant,
          transfer,
        })
        if (checkpoint) {
          const expiresAt = new Date(clock().getTime() + UPLOAD_LIFETIME_MS)
          paused.keep({ upload: { ...open.upload, checkpoint, expiresAt }, lease, writer })
          isPaused = true
        }
        return result
      } finally {
        if (!isPaused) await writer.close()
      }
    } finally {
      participant.leave()
      transfer.end()
      if (!isPaused) await lease.end({ rowReleased })
    }
  }

  async function appendTo(
    writer: ObjectWriter,
    req: IncomingMessage,
    { reservation, checksum, wholeOnly = false, isLast = false, ...options }: AppendOptions,
    { participant, transfer }: AppendMeans,
  ): Promise<AppendResult & { checkpoint?: Checkpoint }> {
    const digest = checksum === undefined ? null : startDigest(checksum)
    const keepsPartial = !wholeOnly && digest === null
    let { offsetBytes, crc32 } = start
    let { target } = options
    let synced = syncedPosition(open.upload.checkpoint, start)
    let checkedBytes = synced.offsetBytes
    let isRefused = false

    const progress = (): Checkpoint => ({
      offsetBytes,
      crc32,
      syncedBytes: synced.offsetBytes,
      syncedCrc32: synced.crc32,
      bootId,
      discardsUnverified: !keepsPartial,
    })
    const syncBehind = async ({ syncWithin, sync }: ObjectWriter): Promise<Position> => {
      if (syncWithin) return syncWithin(CHECKPOINT_BYTES)
      await sync()
      return { offsetBytes, crc32 }
    }
    const saveProgress = (how: { release: boolean; durable: boolean }): Promise<void> =>
      store.saveCheckpoint(lease, progress(), how)
    // Bytes of plain uploads are found again in the object; whole bodies only by this row.
    const releaseRow = async (): Promise<void> => {
      await reservation.settle(offsetBytes)
      await saveProgress({ release: true, durable: !keepsPartial })
      rowReleased = true
    }

    const dropBody = async (): Promise<void> => {
      offsetBytes = start.offsetBytes
      crc32 = start.crc32
      synced = syncedPosition(open.upload.checkpoint, start)
      await cutBack(writer)
      await releaseRow()
    }

    try {
      // How bytes past the row are to be taken must be known before the first of them is stored,
      // together with the bytes adopted until now: a row that says "drop" would drop those too.
      const { checkpoint } = open.upload
      if (checkpoint.bootId !== bootId || checkpoint.discardsUnverified === keepsPartial) {
        await saveProgress({ release: false, durable: true })
      }

      const end = await receiveBody(req, {
        // One batch gathers while another is written: each may be half of the stream's share. A
        // storage that gathers them itself copies them while the processor has them at hand.
        batch: {
          get batchBytes() {
            const most = writer.crc32 === undefined ? Infinity : WARM_BATCH_BYTES
            return Math.min(most, participant.batchBytes / 2)
          },
        },
        maxBytes: reservation.maxBytes,
        onArrival: lease.hear,
        signal: lease.signal,
        onBatch: async (chunks, bytes) => {
          await target
          await reservation.cover(offsetBytes + bytes).catch((error: unknown) => {
            isRefused = true
            throw error
          })
          const written = writer.write(chunks, lease.signal)
          if (writer.crc32 === undefined) {
            for (const chunk of chunks) crc32 = updateCrc32(chunk, crc32)
          }
          if (digest) for (const chunk of chunks) digest.update(chunk)
          offsetBytes += bytes
          transfer.moved(bytes)
          await written
          if (writer.crc32 !== undefined) ({ crc32 } = writer)
          lease.hear()
          if (keepsPartial && offsetBytes - checkedBytes >= CHECKPOINT_BYTES) {
            synced = await syncBehind(writer)
            checkedBytes = offsetBytes
            await saveProgress({ release: false, durable: false })
            target = await targets.ask(open.upload)
          }
        },
      })

      const dropped = end === 'overflow' || (end === 'cut' && !keepsPartial)
      const mismatch = end === 'complete' && digest !== null && !digest.matches()
      if (dropped || mismatch) {
        await dropBody()
        if (mismatch) throw new AppError('upload_checksum_mismatch')
        return { offsetBytes, crc32, end, finished: false }
      }

      const finished = isLast ? end === 'complete' : offsetBytes === open.upload.lengthBytes
      if (finished) {
        // A store need not take back what it was told to finish. All of it has come and is verified:
        // whoever comes after a crash finishes it, and does not ask for the body again.
        if (!keepsPartial) {
          const whole = { ...progress(), discardsUnverified: false }
          const how = { release: false, durable: true, lengthBytes: offsetBytes }
          await store.saveCheckpoint(lease, whole, how)
        }
        await writer.finish()
        const { edition } = await targets.confirm(open.upload, await target)
        // The counters are held for as long as a commit takes, which with a file is long.
        await reservation.settle(offsetBytes)
        await store.finish(lease, { edition, sizeBytes: offsetBytes, crc32 })
        rowReleased = true
        return { offsetBytes, crc32, end, finished }
      }
      // What is acknowledged outlives this process.
      if (await writer.keep()) synced = { offsetBytes, crc32 }
      if (keepsPartial && end === 'complete') {
        await reservation.settle(offsetBytes)
        return { offsetBytes, crc32, end, finished, checkpoint: progress() }
      }
      await releaseRow()
      return { offsetBytes, crc32, end, finished }
    } catch (error) {
      if (isRefused) await dropBody()
      if (!rowReleased) await reservation.settle(offsetBytes).catch(() => undefined)
      throw error
    }
  }

  /** Nothing unverified may be left that could later be taken for stored bytes. */
  async function cutBack(writer: ObjectWriter): Promise<void> {
    await writer.close()
    await (await objects.openWriter(open.upload.objectKey, start)).close()
  }

  async function finish(target: UploadTarget): Promise<void> {
    try {
      const writer = held.writer ?? (await objects.openWriter(open.upload.objectKey, start))
      try {
        await writer.finish()
      } finally {
        await writer.close()
      }
      const { edition } = await targets.confirm(open.upload, target)
      const { offsetBytes: sizeBytes, crc32 } = start
      await store.finish(lease, { edition, sizeBytes, crc32 })
      rowReleased = true
    } finally {
      await lease.end({ rowReleased })
    }
  }

  async function close(): Promise<void> {
    const { writer } = held
    if (writer) return paused.keep({ upload: open.upload, lease, writer })
    const { checkpoint } = open.upload
    const adopted = checkpoint.offsetBytes !== start.offsetBytes && checkpoint.bootId === bootId
    try {
      if (!adopted || isComplete(open.upload)) return
      // Saved, so that the next look need not read those bytes again.
      const synced = syncedPosition(checkpoint, start)
      await store.saveCheckpoint(
        lease,
        {
          ...checkpoint,
          ...start,
          syncedBytes: synced.offsetBytes,
          syncedCrc32: synced.crc32,
        },
        { release: true, durable: false },
      )
      rowReleased = true
    } finally {
      await lease.end({ rowReleased })
    }
  }
}

function syncedPosition(checkpoint: Checkpoint, start: Position): Position {
  return checkpoint.syncedBytes <= start.offsetBytes
    ? { offsetBytes: checkpoint.syncedBytes, crc32: checkpoint.syncedCrc32 }
    : { offsetBytes: 0, crc32: 0 }
}

interface Digest {
  update(chunk: Buffer): void
  matches(): boolean
}

export function startDigest({ algorithm, digest }: ExpectedChecksum): Digest {
  if (algorithm === 'crc32') {
    let crc32 = 0
    return {
      update: (chunk) => {
        crc32 = updateCrc32(chunk, crc32)
      },
      matches: () => digest.length === 4 && digest.readUInt32BE() === crc32,
    }
  }
  const hash: Hash = createHash(algorithm)
  return {
    update: (chunk) => {
      hash.update(chunk)
    },
    matches: () => hash.digest().equals(digest),
  }
}
