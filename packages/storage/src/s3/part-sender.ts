import type { GatheredPart } from './part-gatherer.ts'
import type { PartLedger } from './part-ledger.ts'
import type { ObjectTable, WriterClaim } from './object-table.ts'
import type { S3Calls } from './s3-calls.ts'

const partsInFlight = 3

export interface PartToRecord {
  number: number
  startBytes: number
  sizeBytes: number
  crc32: number
  /** Of all bytes up to the end of the part. */
  endCrc32: number
}

/** The upload of earlier writers, as far as it is known. */
export interface KnownUpload {
  uploadId: string | null
  wasBeginning: boolean
}

/** Sends parts side by side, each recorded once S3 has it; begins the upload with the first. */
export class PartSender {
  readonly #calls: S3Calls
  readonly #table: ObjectTable
  readonly #claim: WriterClaim
  readonly #ledger: PartLedger
  /** Parts that are sent or recorded, and among them those that S3 does not have yet. */
  readonly #pending = new Set<Promise<void>>()
  readonly #sending = new Set<Promise<unknown>>()
  readonly #aborting = new AbortController()
  readonly #wasBeginning: boolean
  #beginning: Promise<string> | null = null
  uploadId: string | null
  /** Why the first part that failed did. */
  failure: unknown

  constructor(
    { calls, table }: { calls: S3Calls; table: ObjectTable },
    claim: WriterClaim,
    { upload, ledger }: { upload: KnownUpload; ledger: PartLedger },
  ) {
    this.#calls = calls
    this.#table = table
    this.#claim = claim
    this.#ledger = ledger
    this.uploadId = upload.uploadId
    this.#wasBeginning = upload.wasBeginning
  }

  /** Resolves when another part may be sent. */
  async ready(): Promise<void> {
    while (this.#sending.size >= partsInFlight) await Promise.race(this.#sending)
    this.throwFailure()
  }

  send(part: PartToRecord, { payload, release }: GatheredPart): void {
    const { number, crc32, startBytes, sizeBytes, endCrc32 } = part
    const sent = this.#begin().then((uploadId) => {
      const place = { key: this.#claim.key, uploadId, number, crc32 }
      return this.#calls.sendPart(place, payload, this.#aborting.signal)
    })
    // Settles in any case: whether it went well is known to the pending one.
    const sending = sent.then(ignore, ignore).finally(() => {
      release()
      this.#sending.delete(sending)
    })
    this.#sending.add(sending)
    const pending = sent
      .then(({ etag }) =>
        this.#ledger.record(startBytes, { number, crc32, etag, sizeBytes, endCrc32 }),
      )
      .catch((error: unknown) => {
        this.failure ??= error
      })
      .finally(() => this.#pending.delete(pending))
    this.#pending.add(pending)
  }

  /** Resolves when every part is stored and recorded. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending)
    this.throwFailure()
  }

  throwFailure(): void {
    if (this.failure !== undefined) throw this.failure
  }

  async abort(): Promise<void> {
    this.#aborting.abort()
    await Promise.all(this.#pending)
  }

  #begin(): Promise<string> {
    this.#beginning ??=
      this.uploadId === null ? this.#beginUpload() : Promise.resolve(this.uploadId)
    return this.#beginning
  }

  async #beginUpload(): Promise<string> {
    const { key } = this.#claim
    if (this.#wasBeginning) await this.#calls.abortAll(key)
    else await this.#table.noteBeginning(this.#claim)
    const id = await this.#calls.beginParts(key, { withChecksums: true })
    await this.#table.setUploadId(this.#claim, id)
    this.uploadId = id
    return id
  }
}

function ignore(): void {}
