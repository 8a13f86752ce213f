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
 * Gathers the bytes of one part: from its beginning in a buffer, else in the database. Memory may be
 * short, a part may be larger than a buffer, and a writer that continues in the middle of a part finds
 * its beginning in the database. What the buffer holds can be kept there as well, so that it
 * survives the process.
 */
export class PartGatherer {
  readonly #table: ObjectTable
  readonly #memory: PartMemory
  readonly #claim: WriterClaim
  readonly #cursor: WriteCursor
  /** The bytes of this part up to the position. */
  #buffer: Buffer | null = null
  /** Up to here they are in the database. */
  #keptEnd: number

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
  }

  /** @param bytes of this part alone. */
  async gather(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const { position, part } = this.#cursor
    if (position === part.start && part.end - part.start <= leastPartBytes) {
      const isFirstPart = position === 0
      this.#buffer ??= await this.#memory.waitForBuffer({ isFirstPart, signal })
    }
    if (this.#buffer === null) await this.#add(bytes)
    else this.#buffer.set(bytes, position - part.start)
    this.#cursor.advance(bytes)
  }

  /** Puts what only memory holds into the database. */
  async keep(): Promise<void> {
    const { position, part } = this.#cursor
    if (this.#buffer === null || this.#keptEnd === position) return
    await this.#add(this.#buffer.subarray(this.#keptEnd - part.start, position - part.start))
  }

  /** The bytes of this part; the buffer they were gathered in goes with them. */
  async takePart(): Promise<GatheredPart> {
    const { partBytes } = this.#cursor
    if (this.#buffer === null && partBytes > leastPartBytes) return this.#inDatabase()
    const whole = this.#buffer ?? (await this.#readBack())
    this.#buffer = null
    return {
      payload: whole.subarray(0, partBytes),
      release: () => this.#memory.give(whole),
    }
  }

  /** Another part begins at the position. */
  beginPart(): void {
    this.#keptEnd = this.#cursor.position
  }

  /** Only after `keep`, or when what was gathered is no longer needed. */
  releaseBuffer(): void {
    if (this.#buffer !== null) this.#memory.give(this.#buffer)
    this.#buffer = null
  }

  async #add(bytes: Uint8Array): Promise<void> {
    const { buffer, byteOffset, byteLength } = bytes
    const piece = { startBytes: this.#keptEnd, bytes: Buffer.from(buffer, byteOffset, byteLength) }
    await this.#table.addPiece(this.#claim, piece)
    this.#keptEnd += byteLength
  }

  async #readBack(): Promise<Buffer> {
    const { part, position } = this.#cursor
    const whole = await this.#memory.take()
    try {
      const kept = await this.#table.pieces(this.#claim.key, part.start, position)
      for (const { startBytes, bytes } of kept) whole.set(bytes, startBytes - part.start)
      return whole
    } catch (error) {
      this.#memory.give(whole)
      throw error
    }
  }

  /** A part that fits no buffer is read piece by piece while it is sent. */
  async #inDatabase(): Promise<GatheredPart> {
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
