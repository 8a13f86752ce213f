import type { Readable } from 'node:stream'
import type { ObjectWriter, Position } from '@floe/storage'
import type { TransferMemory } from '@floe/transfer'
import type { TransferMeter } from '../../transfers/domain/transfer-meter.ts'
import {
  type AppendDependencies,
  type AppendOptions,
  type AppendResult,
  BodyAppender,
} from './append-body.ts'
import type { HeldLease } from './lease-keeper.ts'
import type { PausedUpload, PausedUploads } from './paused-uploads.ts'
import { syncedPosition } from './stored-position.ts'
import type { UploadTarget } from './upload-targets.ts'
import { isComplete, type Upload, UPLOAD_LIFETIME_MS } from './upload.ts'

export interface OpenUploadDependencies extends AppendDependencies {
  memory: TransferMemory
  meter: TransferMeter
  clock: () => Date
  paused: Pick<PausedUploads, 'keep'>
}

export interface HeldUpload {
  lease: HeldLease
  upload: Upload
  /** What the request before left open; null if the object is still to be opened. */
  paused: Pick<PausedUpload, 'writer' | 'target'> | null
}

/** An upload that this request holds, until one of `append`, `finish` and `close` ends it. */
export class OpenUpload {
  readonly #dependencies: OpenUploadDependencies
  readonly #held: HeldUpload
  readonly position: Position
  /** Replaced when its length is declared. */
  upload: Upload
  #isRowReleased = false

  constructor(dependencies: OpenUploadDependencies, held: HeldUpload, position: Position) {
    this.#dependencies = dependencies
    this.#held = held
    this.position = position
    this.upload = held.upload
  }

  get lease(): HeldLease {
    return this.#held.lease
  }

  /** Where its bytes go, as the request before was told; null if that one did not leave it open. */
  get told(): UploadTarget | null {
    return this.#held.paused?.target ?? null
  }

  /** Reads the body onto the object's end; acknowledges nothing that is not stored. */
  async append(body: Readable, options: AppendOptions): Promise<AppendResult> {
    const { memory, meter } = this.#dependencies
    const { upload, lease } = this
    const share = memory.join()
    const transfer = meter.transferBegins('upload')
    let isPaused = false
    try {
      const writer = await this.#openWriter()
      const to = { upload, lease, writer, share, onMoved: transfer.moved }
      const appender = new BodyAppender(this.#dependencies, to, options)
      try {
        const { result, checkpoint } = await appender.append(body)
        if (checkpoint) {
          this.#pause({ ...upload, checkpoint }, writer, await options.target)
          isPaused = true
        }
        return result
      } finally {
        this.#isRowReleased = appender.isRowReleased
        if (!isPaused) await writer.close()
      }
    } finally {
      share.leave()
      transfer.end()
      if (!isPaused) await this.#end()
    }
  }

  /** Completes the upload at its present end. */
  async finish(target: UploadTarget): Promise<void> {
    const { targets, store } = this.#dependencies
    const { offsetBytes: sizeBytes, crc32 } = this.position
    try {
      const writer = await this.#openWriter()
      try {
        await writer.finish()
      } finally {
        await writer.close()
      }
      const { edition } = await targets.confirm(this.upload, target)
      await store.finish(this.lease, { edition, sizeBytes, crc32 })
      this.#isRowReleased = true
    } finally {
      await this.#end()
    }
  }

  /** Gives the upload back without having written. */
  async close(): Promise<void> {
    const { paused } = this.#held
    if (paused) return this.#pause(this.upload, paused.writer, paused.target)
    try {
      await this.#saveAdopted()
    } finally {
      await this.#end()
    }
  }

  async #openWriter(): Promise<ObjectWriter> {
    const { objects } = this.#dependencies
    return this.#held.paused?.writer ?? objects.openWriter(this.upload.objectKey, this.position)
  }

  #pause(upload: Upload, writer: ObjectWriter, target: UploadTarget): void {
    const { clock, paused } = this.#dependencies
    const expiresAt = new Date(clock().getTime() + UPLOAD_LIFETIME_MS)
    paused.keep({ upload: { ...upload, expiresAt }, lease: this.lease, writer, target })
  }

  /** Saves bytes that were adopted, so that the next look need not read them again. */
  async #saveAdopted(): Promise<void> {
    const { store, bootId } = this.#dependencies
    const { checkpoint } = this.upload
    const isAdopted = checkpoint.offsetBytes !== this.position.offsetBytes
    if (!isAdopted || checkpoint.bootId !== bootId || isComplete(this.upload)) return
    const synced = syncedPosition(checkpoint, this.position)
    const adopted = {
      ...checkpoint,
      ...this.position,
      syncedBytes: synced.offsetBytes,
      syncedCrc32: synced.crc32,
    }
    await store.saveCheckpoint(this.lease, adopted, { release: true, durable: false })
    this.#isRowReleased = true
  }

  async #end(): Promise<void> {
    await this.lease.end({ rowReleased: this.#isRowReleased })
  }
}
