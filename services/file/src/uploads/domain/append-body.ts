import type { Readable } from 'node:stream'
import { AppError } from '@floe/errors'
import type { ObjectStore, ObjectWriter, Position } from '@floe/storage'
import { type BodyEnd, type MemoryShare, receiveBody } from '@floe/transfer'
import { type ExpectedChecksum, type RunningDigest, startDigest } from './checksum.ts'
import type { HeldLease } from './lease-keeper.ts'
import type { BodyReservation } from './reserve-body.ts'
import type { NoteReceived } from './received-notes.ts'
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
  /**
   * Whether the upload ends with this body, at its declared length where there is one. Absent, it
   * ends as soon as it has that length.
   */
  isLast?: boolean
  /** Awaited before the first byte is stored: it may be asked for while the body comes in. */
  target: UploadTarget | Promise<UploadTarget>
}

export interface AppendResult extends Position {
  end: BodyEnd
  finished: boolean
}

export interface AppendDependencies {
  store: Pick<UploadProgress, 'saveCheckpoint' | 'finish'>
  objects: Pick<ObjectStore, 'openWriter'>
  targets: Pick<UploadTargets, 'ask' | 'confirm'>
  noteReceived: NoteReceived
  bootId: string
}

/** The upload that a body is appended to. */
export interface Appendable {
  upload: Upload
  lease: HeldLease
  /** Stands where the upload ends before this body. */
  writer: ObjectWriter
  share: Pick<MemoryShare, 'batchBytes' | 'release'>
  /** Told of bytes on their way into the object. */
  onMoved(bytes: number): void
}

export interface Appended {
  result: AppendResult
  /** To be saved, unless the sender's next body follows at once; null where that was done. */
  checkpoint: Checkpoint | null
}

/** Reads one body onto the end of an object; acknowledges nothing that is not stored. */
export class BodyAppender {
  readonly #dependencies: AppendDependencies
  readonly #to: Appendable
  readonly #options: AppendOptions
  readonly #start: Position
  readonly #digest: RunningDigest | null
  /** What has come of an interrupted body is kept; otherwise it is kept whole or not at all. */
  readonly #keepsPartial: boolean
  /** Bytes up to here may be stored as well: a write failed, and part of it may be there. */
  #offeredBytes: number
  #synced: Position
  /** Where progress was saved last. */
  #savedBytes: number
  #target: UploadTarget | Promise<UploadTarget>
  #receivedBytes: number
  #isRowReleased = false

  constructor(dependencies: AppendDependencies, to: Appendable, options: AppendOptions) {
    this.#dependencies = dependencies
    this.#to = to
    this.#options = options
    this.#start = to.writer.position
    this.#digest = options.checksum === undefined ? null : startDigest(options.checksum)
    this.#keepsPartial = options.wholeOnly !== true && this.#digest === null
    this.#offeredBytes = this.#start.offsetBytes
    this.#synced = syncedPosition(to.upload.checkpoint, this.#start)
    this.#savedBytes = this.#synced.offsetBytes
    this.#target = options.target
    this.#receivedBytes = this.#start.offsetBytes
  }

  /** The lease was given back with the row. */
  get isRowReleased(): boolean {
    return this.#isRowReleased
  }

  async append(body: Readable): Promise<Appended> {
    const { lease, writer, share } = this.#to
    const { reservation } = this.#options
    try {
      await this.#saveMode()
      const end = await receiveBody(body, {
        // One batch gathers while another is written: each may be half of the stream's share.
        batch: {
          get batchBytes() {
            return Math.min(writer.batchBytes, share.batchBytes / 2)
          },
          release: share.release,
        },
        maxBytes: reservation.maxBytes,
        onArrival: (bytes) => this.#hear(bytes),
        signal: lease.signal,
        onBatch: (chunks, bytes) => this.#storeBatch(chunks, bytes),
      })
      return await this.#conclude(end)
    } catch (error) {
      if (!this.#isRowReleased) await reservation.settle(this.#offeredBytes).catch(() => undefined)
      throw error
    }
  }

  #hear(bytes: number): void {
    const { lease } = this.#to
    lease.hear()
    this.#receivedBytes += bytes
    this.#dependencies.noteReceived(lease, this.#receivedBytes)
  }

  /**
   * How bytes past the row are to be taken must be known before the first of them is stored,
   * together with the bytes adopted until now: a row that says "drop" would drop those too.
   */
  async #saveMode(): Promise<void> {
    const { bootId, discardsUnverified } = this.#to.upload.checkpoint
    if (bootId === this.#dependencies.bootId && discardsUnverified !== this.#keepsPartial) return
    await this.#save({ release: false, durable: true })
  }

  async #storeBatch(chunks: readonly Buffer[], bytes: number): Promise<void> {
    const { writer, lease, onMoved } = this.#to
    await this.#target
    const endBytes = writer.position.offsetBytes + bytes
    await this.#options.reservation.cover(endBytes).catch(async (error: unknown) => {
      await this.#drop()
      throw error
    })
    this.#offeredBytes = endBytes
    const written = writer.write(chunks, lease.signal)
    if (this.#digest) for (const chunk of chunks) this.#digest.update(chunk)
    onMoved(bytes)
    await written
    lease.hear()
    if (this.#keepsPartial && endBytes - this.#savedBytes >= CHECKPOINT_BYTES)
      await this.#saveOnTheWay()
  }

  /** Bounds what a crash may lose of a long body, and asks whether its share still wants it. */
  async #saveOnTheWay(): Promise<void> {
    const { writer, upload } = this.#to
    this.#noteFlushed(await writer.flush({ maxLagBytes: CHECKPOINT_BYTES }))
    this.#savedBytes = writer.position.offsetBytes
    await this.#save({ release: false, durable: false })
    this.#target = await this.#dependencies.targets.ask(upload)
  }

  async #conclude(end: BodyEnd): Promise<Appended> {
    const { writer } = this.#to
    const { reservation } = this.#options
    const isMismatch = end === 'complete' && this.#digest?.matches() === false
    if (isMismatch || end === 'overflow' || (end === 'cut' && !this.#keepsPartial)) {
      await this.#drop()
      if (isMismatch) throw new AppError('upload_checksum_mismatch')
      return { result: { ...this.#start, end, finished: false }, checkpoint: null }
    }
    const { position } = writer
    const finished = this.#isEnd(position, end)
    const result = { ...position, end, finished }
    if (finished) {
      await this.#makeFile(position)
      return { result, checkpoint: null }
    }
    // What is acknowledged outlives this process.
    this.#noteFlushed(await writer.keep())
    if (this.#keepsPartial && end === 'complete') {
      await reservation.settle(position.offsetBytes)
      return { result, checkpoint: this.#checkpoint(position) }
    }
    await this.#releaseRow(position)
    return { result, checkpoint: null }
  }

  #isEnd({ offsetBytes }: Position, end: BodyEnd): boolean {
    const { lengthBytes } = this.#to.upload
    const { isLast } = this.#options
    if (isLast === undefined) return offsetBytes === lengthBytes
    return isLast && end === 'complete' && (lengthBytes === null || offsetBytes === lengthBytes)
  }

  async #makeFile({ offsetBytes: sizeBytes, crc32 }: Position): Promise<void> {
    const { store, targets } = this.#dependencies
    const { upload, lease, writer } = this.#to
    // A store need not take back what it was told to finish. All of it has come and is verified, so
    // after a crash the next request finishes it, and does not ask for the body again.
    if (!this.#keepsPartial) {
      const whole = { ...this.#checkpoint(), discardsUnverified: false }
      const how = { release: false, durable: true, lengthBytes: sizeBytes }
      await store.saveCheckpoint(lease, whole, how)
    }
    await writer.finish()
    const { edition } = await targets.confirm(upload, await this.#target)
    // The counters are held for as long as a commit takes, which with a file is long.
    await this.#options.reservation.settle(sizeBytes)
    await store.finish(lease, { edition, sizeBytes, crc32 })
    this.#isRowReleased = true
  }

  /** Takes back what came of the body: nothing unverified may later be taken for stored bytes. */
  async #drop(): Promise<void> {
    const { upload, writer } = this.#to
    this.#offeredBytes = this.#start.offsetBytes
    this.#synced = syncedPosition(upload.checkpoint, this.#start)
    await writer.close()
    await (await this.#dependencies.objects.openWriter(upload.objectKey, this.#start)).close()
    await this.#releaseRow(this.#start)
  }

  /** Bytes of plain uploads are found again in the object; whole bodies only by this row. */
  async #releaseRow(position: Position): Promise<void> {
    await this.#options.reservation.settle(position.offsetBytes)
    await this.#save({ release: true, durable: !this.#keepsPartial }, position)
    this.#isRowReleased = true
  }

  #save(how: { release: boolean; durable: boolean }, position?: Position): Promise<void> {
    const { store } = this.#dependencies
    return store.saveCheckpoint(this.#to.lease, this.#checkpoint(position), how)
  }

  #noteFlushed(flushed: Position): void {
    if (flushed.offsetBytes > this.#synced.offsetBytes) this.#synced = flushed
  }

  #checkpoint({ offsetBytes, crc32 } = this.#to.writer.position): Checkpoint {
    return {
      offsetBytes,
      crc32,
      syncedBytes: this.#synced.offsetBytes,
      syncedCrc32: this.#synced.crc32,
      bootId: this.#dependencies.bootId,
      discardsUnverified: !this.#keepsPartial,
    }
  }
}
