import type { ObjectTable, Prefix, StoredPart, WriterClaim } from './object-table.ts'
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
  readonly #stored = new Map<number, Prefix>()
  /** Up to here parts are stored without a gap. */
  #contiguous: Prefix
  #recording = Promise.resolve()
  synced: Prefix

  constructor(
    { table, claim, plan }: { table: ObjectTable; claim: WriterClaim; plan: PartPlan },
    { contiguous, synced }: { contiguous: Prefix; synced: Prefix },
  ) {
    this.#table = table
    this.#claim = claim
    this.#plan = plan
    this.#contiguous = contiguous
    this.synced = synced
  }

  get durable(): Prefix {
    return this.#contiguous.bytes > this.synced.bytes ? this.#contiguous : this.synced
  }

  /** One part after another, so that each record knows those before it. */
  record(startBytes: number, part: StoredPart): Promise<void> {
    this.#recording = this.#recording.then(async () => {
      const end = { bytes: startBytes + part.sizeBytes, crc32: part.endCrc32 }
      const reached = startBytes === this.#contiguous.bytes ? this.#followParts(end) : null
      await this.#table.addPart(this.#claim, part, reached)
      this.#stored.set(startBytes, end)
      if (reached) this.#contiguous = reached
    })
    return this.#recording
  }

  async sync(prefix: Prefix): Promise<void> {
    const keepFromBytes = this.#partStartOf(this.synced)
    this.synced = prefix
    await this.#table.sync(this.#claim, prefix, keepFromBytes)
  }

  /** Takes what is durable for synced, and forgets the pieces that only earlier syncs needed. */
  async syncToDurable(): Promise<Prefix> {
    const { durable } = this
    await this.#table.forgetPieces(this.#claim, this.#partStartOf(this.synced))
    this.synced = durable
    return durable
  }

  #followParts(end: Prefix): Prefix {
    const next = this.#stored.get(end.bytes)
    return next === undefined ? end : this.#followParts(next)
  }

  #partStartOf({ bytes }: Prefix): number {
    return placeOf(this.#plan, bytes).start
  }
}
