import type { ObjectTable, WriterClaim } from './object-table.ts'
import type { PartMemory } from './part-memory.ts'
import { leastPartBytes } from './part-plan.ts'
import type { Payload } from './payload.ts'
import type { WriteCursor } from './write-cursor.ts'

export interface GatheredPart {
  payload: Payload
  /** Gives the memory of the payload back, once nothing reads it any more. */
  release(): void
}

/**
 * Gathers the bytes of one part: in memory while there is some, else in the database. What memory
 * holds can be kept in the database as well, so that it survives the process.
 */
export class PartGatherer {
  readonly #table: ObjectTable
  readonly #memory: PartMemory
  readonly #claim: WriterClaim
  readonly #cursor: WriteCursor
  /** In the database: the bytes of this part up to here. */
  #keptEnd: number
  /** In memory: the bytes from here to the position. */
  #buffer: Buffer | null = null
  #bufferStart: number

  constructor(
    { table, memory }: { table: ObjectTable; memory: PartMemory },
    claim: WriterClaim,
    cursor: WriteCursor,
  ) {
    this.#table = table
    this.#memory = memory
    this.#claim = claim
    this.#cursor = cursor
    this.#keptEnd = cursor.position
    this.#bufferStart = cursor.position
  }

  /** Takes as many bytes as fit, and resolves to their number. */
  async gather(bytes: Uint8Array, signal?: AbortSignal): Promise<number> {
    const cursor = this.#cursor
    if (this.#buffer === null) {
      // In the middle of a part its beginning is in the database anyhow.
      this.#buffer =
        cursor.position === cursor.part.start
          ? await this.#memory.waitForBuffer({ isFirstPart: cursor.position === 0, signal })
          : this.#memory.tryTake()
      this.#bufferStart = cursor.position
    }
    if (this.#buffer === null) {
      await this.#table.addPiece(this.#claim, {
        startBytes: cursor.position,
        bytes: viewOf(bytes),
      })
      cursor.advance(bytes)
      this.beginAtPosition()
      return bytes.length
    }
    const freeBytes = this.#bufferStart + this.#buffer.length - cursor.position
    if (freeBytes === 0) {
      await this.keep()
      this.#bufferStart = cursor.position
      return 0
    }
    const fitting = bytes.subarray(0, freeBytes)
    this.#buffer.set(fitting, cursor.position - this.#bufferStart)
    cursor.advance(fitting)
    return fitting.length
  }

  /** Puts what only memory holds into the database. */
  async keep(): Promise<void> {
    const { position } = this.#cursor
    if (this.#buffer === null || this.#keptEnd === position) return
    const from = this.#keptEnd - this.#bufferStart
    const bytes = this.#buffer.subarray(from, position - this.#bufferStart)
    await this.#table.addPiece(this.#claim, { startBytes: this.#keptEnd, bytes })
    this.#keptEnd = position
  }

  /** The bytes of this part; the memory they were gathered in goes with them. */
  async takePart(): Promise<GatheredPart> {
    const { part, partBytes } = this.#cursor
    if (this.#buffer !== null && this.#bufferStart === part.start) {
      const whole = this.#buffer
      this.#buffer = null
      return this.#inMemory(whole, partBytes)
    }
    if (partBytes > leastPartBytes) return this.#inDatabase()
    const whole = await this.#memory.take()
    try {
      await this.#copyInto(whole)
    } catch (error) {
      this.#memory.give(whole)
      throw error
    }
    this.releaseBuffer()
    return this.#inMemory(whole, partBytes)
  }

  /** All bytes up to the position are in the database, or were taken. */
  beginAtPosition(): void {
    this.#keptEnd = this.#cursor.position
    this.#bufferStart = this.#cursor.position
  }

  /** Only after `keep`, or when what was gathered is no longer needed. */
  releaseBuffer(): void {
    if (this.#buffer !== null) this.#memory.give(this.#buffer)
    this.#buffer = null
    this.#bufferStart = this.#cursor.position
  }

  async #copyInto(whole: Buffer): Promise<void> {
    const { part, position } = this.#cursor
    const kept = await this.#table.pieces(this.#claim.key, part.start, this.#bufferStart)
    for (const { startBytes, bytes } of kept) whole.set(bytes, startBytes - part.start)
    if (this.#buffer !== null) {
      const gathered = this.#buffer.subarray(0, position - this.#bufferStart)
      whole.set(gathered, this.#bufferStart - part.start)
    }
  }

  #inMemory(whole: Buffer, sizeBytes: number): GatheredPart {
    return { payload: whole.subarray(0, sizeBytes), release: () => this.#memory.give(whole) }
  }

  /** A part that fits no buffer is read piece by piece while it is sent. */
  async #inDatabase(): Promise<GatheredPart> {
    await this.keep()
    this.releaseBuffer()
    const { part, partBytes, position } = this.#cursor
    const { key } = this.#claim
    const table = this.#table
    const starts = await table.pieceStarts(key, part.start, position)
    const open = async function* () {
      for (const startBytes of starts) yield await table.piece(key, startBytes)
    }
    return { payload: { sizeBytes: partBytes, open }, release: () => undefined }
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
