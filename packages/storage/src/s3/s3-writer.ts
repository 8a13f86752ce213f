import { AppError } from '@floe/errors'
import type { ObjectKey, ObjectWriter, Position } from '@floe/storage'
import type { ObjectTable, WriterClaim } from './object-table.ts'
import { PartGatherer } from './part-gatherer.ts'
import { PartLedger } from './part-ledger.ts'
import type { PartMemory } from './part-memory.ts'
import { PartSender } from './part-sender.ts'
import type { S3Calls } from './s3-calls.ts'
import { convertS3Error, isCausedBy } from './s3-errors.ts'
import { WriteCursor } from './write-cursor.ts'
import { findStart, type WriterStart } from './writer-start.ts'

export interface S3Dependencies {
  calls: S3Calls
  table: ObjectTable
  memory: PartMemory
}

/** As `ObjectStore.openWriter`. */
export async function openS3Writer(
  dependencies: S3Dependencies,
  key: ObjectKey,
  offsetBytes: number,
): Promise<ObjectWriter> {
  return new S3Writer(dependencies, await findStart(dependencies.table, key, offsetBytes))
}

/**
 * Bytes are gathered into a part, the part is sent while the next one is gathered, and each is
 * recorded once S3 has it. A small object is put at once, without parts.
 */
class S3Writer implements ObjectWriter {
  readonly #calls: S3Calls
  readonly #table: ObjectTable
  readonly #memory: PartMemory
  readonly #claim: WriterClaim
  readonly #cursor: WriteCursor
  readonly #gatherer: PartGatherer
  readonly #sender: PartSender
  readonly #ledger: PartLedger
  #isFinished: boolean
  #state: 'open' | 'failed' | 'closed' = 'open'

  constructor(dependencies: S3Dependencies, start: WriterStart) {
    const { calls, table, memory } = dependencies
    const { claim, plan, isFinished } = start
    const cursor = new WriteCursor(start)
    const known = { contiguous: cursor.sentPrefix, synced: cursor.prefix }
    const ledger = new PartLedger({ table, claim, plan }, known)
    this.#calls = calls
    this.#table = table
    this.#memory = memory
    this.#claim = claim
    this.#cursor = cursor
    this.#ledger = ledger
    this.#gatherer = new PartGatherer(dependencies, claim, cursor)
    this.#sender = new PartSender(dependencies, claim, { upload: start, ledger })
    this.#isFinished = isFinished
  }

  /** Parts are gathered here: bytes are copied while the processor has them at hand. */
  readonly batchBytes = 256 * 1024

  get position(): Position {
    return this.#cursor.prefix
  }

  write(chunks: readonly Uint8Array[], signal?: AbortSignal): Promise<void> {
    return this.#attempt('write', () => this.#take(chunks, signal))
  }

  async keep(): Promise<Position> {
    await this.#attempt('keep', () => this.#sync())
    // The sender may pause now, and another writer could use the buffer in the meantime.
    if (this.#memory.isShort()) this.#gatherer.releaseBuffer()
    return this.position
  }

  flush({ maxLagBytes }: { maxLagBytes: number }): Promise<Position> {
    return this.#attempt('flush', () => this.#syncWithin(maxLagBytes))
  }

  finish(): Promise<void> {
    return this.#attempt('finish', () => this.#finish())
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    await this.#sender.abort()
    this.#gatherer.releaseBuffer()
  }

  async #attempt<T>(operation: string, run: () => Promise<T>): Promise<T> {
    if (this.#state !== 'open') {
      throw new AppError('internal', { detail: `writer is ${this.#state}` })
    }
    try {
      return await run()
    } catch (error) {
      this.#state = 'failed'
      if (await this.#isUploadGone(error)) await this.#table.restart(this.#claim)
      throw convertS3Error(error, operation)
    }
  }

  /**
   * The parts were removed from the bucket: what they held must come again. A server that refuses
   * a part may hang up on its bytes, so it is asked.
   */
  async #isUploadGone(error: unknown): Promise<boolean> {
    if (isCausedBy(error, 'NoSuchUpload')) return true
    const { failure, uploadId } = this.#sender
    if (error !== failure || uploadId === null) return false
    const ids = await this.#calls.uploadsOf(this.#claim.key).catch(() => null)
    return ids !== null && !ids.includes(uploadId)
  }

  async #take(chunks: readonly Uint8Array[], signal?: AbortSignal): Promise<void> {
    const cursor = this.#cursor
    if (cursor.isEnded) throw new AppError('internal', { detail: 'object is finished' })
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length;) {
        const bytes = chunk.subarray(at, at + cursor.part.end - cursor.position)
        await this.#gatherer.gather(bytes, signal)
        at += bytes.length
        if (cursor.position === cursor.part.end) await this.#sendPart()
      }
    }
  }

  /** Sends the bytes of this part up to the position, while the next one is gathered. */
  async #sendPart(): Promise<void> {
    await this.#sender.ready()
    const { part, partBytes, partCrc32, crc32 } = this.#cursor
    const gathered = await this.#gatherer.takePart()
    this.#sender.send(
      {
        number: part.number,
        startBytes: part.start,
        sizeBytes: partBytes,
        crc32: partCrc32,
        endCrc32: crc32,
      },
      gathered,
    )
    this.#cursor.endPart()
    this.#gatherer.beginPart()
  }

  async #sync(): Promise<void> {
    await this.#sender.settle()
    if (this.#isFinished || this.#cursor.position === this.#ledger.synced.offsetBytes) return
    await this.#gatherer.keep()
    await this.#ledger.sync(this.#cursor.prefix)
  }

  /** Parts on their way are not waited for. */
  async #syncWithin(lagBytes: number): Promise<Position> {
    this.#sender.throwFailure()
    if (this.#cursor.position - this.#ledger.durable.offsetBytes <= lagBytes) {
      return this.#ledger.syncToDurable()
    }
    await this.#sync()
    return this.#ledger.synced
  }

  async #finish(): Promise<void> {
    await this.#sender.settle()
    if (this.#isFinished) return
    const { uploadId } = this.#sender
    if (uploadId === null) await this.#putWhole()
    else await this.#completeParts(uploadId)
    const { prefix } = this.#cursor
    await this.#table.finish(this.#claim, prefix)
    this.#ledger.synced = prefix
    this.#cursor.isEnded = true
    this.#isFinished = true
  }

  async #putWhole(): Promise<void> {
    const { payload, release } = await this.#gatherer.takePart()
    try {
      await this.#calls.put(this.#claim.key, payload, this.#cursor.partCrc32)
    } finally {
      release()
    }
  }

  async #completeParts(uploadId: string): Promise<void> {
    const { key } = this.#claim
    if (this.#cursor.partBytes > 0) {
      await this.#sendPart()
      await this.#sender.settle()
    }
    const { position, prefix } = this.#cursor
    // Completing ends the upload in S3: after a crash it must be known that all bytes were there.
    if (position !== this.#ledger.synced.offsetBytes) await this.#ledger.sync(prefix)
    const parts = await this.#table.parts(key)
    const bytes = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    if (bytes !== position || parts.some(({ number }, index) => number !== index + 1)) {
      throw new AppError('internal', { detail: 'the parts are not all there' })
    }
    await this.#calls.completeParts(key, uploadId, parts).catch(async (error: unknown) => {
      const isDone =
        isCausedBy(error, 'NoSuchUpload') && (await this.#calls.sizeOf(key)) === position
      if (!isDone) throw error
    })
  }
}
