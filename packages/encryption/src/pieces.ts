type Bytes = Uint8Array<ArrayBuffer>

/** Cuts what comes in pieces of any length into the lengths asked for. */
export class Pieces {
  readonly #iterator: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)
  #memory: Bytes = new Uint8Array(0)

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#iterator = pieces[Symbol.asyncIterator]()
  }

  /** In memory that the next call uses again; `null` where there are fewer bytes. */
  async take(bytes: number): Promise<Bytes | null> {
    if (this.#memory.length < bytes) this.#memory = new Uint8Array(bytes)
    const taken = this.#memory.subarray(0, bytes)
    let count = 0
    while (count < bytes) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#iterator.next()
        if (done) return null
        this.#rest = value
        continue
      }
      const part = this.#rest.subarray(0, bytes - count)
      taken.set(part, count)
      count += part.length
      this.#rest = this.#rest.subarray(part.length)
    }
    return taken
  }

  async close(): Promise<void> {
    await this.#iterator.return?.()
  }
}

/** `null` where there are fewer bytes; what comes behind them is not read. */
export async function takeOnly(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<Bytes | null> {
  const cut = new Pieces(pieces)
  try {
    return await cut.take(bytes)
  } finally {
    await cut.close()
  }
}
