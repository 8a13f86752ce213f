import type { BodySink } from './connection.ts'

interface Reading {
  target: Buffer
  placedBytes: number
  resolve(count: number): void
  reject(error: Error): void
}

/** The body of a response, read by its owner straight into memory of his choice. */
export class PulledBody implements BodySink {
  readonly #resume: () => void
  /** Bytes that no read has taken. */
  #left: Buffer = Buffer.alloc(0)
  #reading: Reading | null = null
  /** Why nothing follows; null at the end of the body. */
  #end: { error: Error | null } | null = null

  /** @param resume lets the connection read on. */
  constructor(resume: () => void) {
    this.#resume = resume
  }

  /** All bytes have come from the connection, if not yet to their reader. */
  get isWhole(): boolean {
    return this.#end?.error === null
  }

  /** Fills the target: fewer bytes only where the body ends or breaks off, 0 at its end. */
  read(target: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      const { buffer, byteOffset, byteLength } = target
      const bytes = Buffer.from(buffer, byteOffset, byteLength)
      this.#reading = { target: bytes, placedBytes: 0, resolve, reject }
      const left = this.#left
      this.#left = left.subarray(0, 0)
      if (this.take(left) && this.#end === null) this.#resume()
      else if (this.#end !== null) this.#settle()
    })
  }

  /** All bytes have come. */
  finish(): void {
    this.#end = { error: null }
    this.#settle()
  }

  fail(error: Error): void {
    this.#end ??= { error }
    this.#settle()
  }

  target(): Buffer | null {
    return this.#reading && this.#reading.target.subarray(this.#reading.placedBytes)
  }

  fill(bytes: Buffer): boolean {
    if (this.#reading === null) return false
    this.#reading.placedBytes += bytes.length
    if (this.#reading.placedBytes === this.#reading.target.length) this.#settle()
    return this.#reading !== null
  }

  take(bytes: Buffer): boolean {
    const copiedBytes = bytes.copy(this.target() ?? nowhere)
    // Copied: behind the end of the body the connection serves others, before a slow reader comes.
    this.#left = Buffer.from(bytes.subarray(copiedBytes))
    return this.fill(bytes.subarray(0, copiedBytes))
  }

  #settle(): void {
    const reading = this.#reading
    this.#reading = null
    if (reading === null) return
    if (this.#end?.error && reading.placedBytes === 0) reading.reject(this.#end.error)
    else reading.resolve(reading.placedBytes)
  }
}

const nowhere = Buffer.alloc(0)
