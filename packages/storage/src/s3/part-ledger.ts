import type { Position } from '@floe/storage'
import type { ObjectTable, StoredPart, WriterClaim } from './object-table.ts'
import { type PartPlan, placeOf } from './part-plan.ts'

/**
 * Records which parts S3 holds, and so up to where the object survives a crash: to the last sync,
 * or to the end of the parts that are stored without a gap, whichever is further.
 */
export class PartLedger {
  readonly #table: ObjectTable
  readonly #claim: WriterClaim
  readonly #plan: PartPlan
  /** Where each recorded part ends, by where it begins. */
  readonly #stored = new Map<number, Position>()
  /** Up to here parts are stored without a gap. */
  #contiguous: Position
  #recording = Promise.resolve()
  synced: Position

  constructor(
    { table, claim, plan }: { table: ObjectTable; claim: WriterClaim; plan: PartPlan },
    { contiguous, synced }: { contiguous: Position; synced: Position },
  ) {
    this.#table = table
    this.#claim = claim
    this.#plan = plan
    this.#contiguous = contiguous
    this.synced = synced
  }

  get durable(): Position {
    return this.#contiguous.offsetBytes > this.synced.offsetBytes ? this.#contiguous : this.synced
  }

  /** One part after another, so that each record knows those before it. */
  record(startBytes: number, part: StoredPart): Promise<void> {
    this.#recording = this.#recording.then(async () => {
      const end = { offsetBytes: startBytes + part.sizeBytes, crc32: part.endCrc32 }
      const reached = startBytes === this.#contiguous.offsetBytes ? this.#followParts(end) : null
      await this.#table.addPart(this.#claim, part, reached)
      this.#stored.set(startBytes, end)
      if (reached) this.#contiguous = reached
    })
    return this.#recording
  }

  async sync(prefix: Position): Promise<void> {
    const keepFromBytes = this.#partStartOf(this.synced)
    this.synced = prefix
    await this.#table.sync(this.#claim, prefix, keepFromBytes)
  }

  /** Takes what is durable for synced, and forgets the pieces that only earlier syncs needed. */
  async syncToDurable(): Promise<Position> {
    const { durable } = this
    await this.#table.forgetPieces(this.#claim, this.#partStartOf(this.synced))
    this.synced = durable
    return durable
  }

  #followParts(end: Position): Position {
    const next = this.#stored.get(end.offsetBytes)
    return next === undefined ? end : this.#followParts(next)
  }

  #partStartOf({ offsetBytes }: Position): number {
    return placeOf(this.#plan, offsetBytes).start
  }
}
