import { FloeError } from './floe-error.ts'
import type { FloeDecryption, FloeEncryption } from './floe.ts'
import { HEADER_BYTES, SEGMENT_OVERHEAD_BYTES } from './layout.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Text of any pieces in, the ciphertext out: its header, then one piece for each segment. */
export function encryptStream(encryption: FloeEncryption): TransformStream<Uint8Array, Bytes> {
  const cutter = new Cutter(encryption.segmentBytes - SEGMENT_OVERHEAD_BYTES)
  let position = 0
  return new TransformStream({
    start: (controller) => controller.enqueue(encryption.header),
    transform: async (piece, controller) => {
      for (const text of cutter.add(piece))
        controller.enqueue(await encryption.encryptSegment(text, position++, false))
    },
    flush: async (controller) => {
      controller.enqueue(await encryption.encryptSegment(cutter.rest(), position, true))
    },
  })
}

/**
 * A ciphertext of any pieces in, text out, each segment once it has been found authentic.
 *
 * @param start Is given the header, and tells how to go on.
 * @throws FloeError On the readable side, before anything of the segment that is to blame.
 */
export function decryptStream(
  start: (header: Bytes) => Promise<FloeDecryption>,
): TransformStream<Uint8Array, Bytes> {
  const head = new Cutter(HEADER_BYTES)
  let decryption: FloeDecryption | null = null
  let body: Cutter | null = null
  let position = 0
  return new TransformStream({
    transform: async (piece, controller) => {
      const rest = piece.subarray(head.fill(piece))
      if (!head.isFull) return
      decryption ??= await start(head.rest())
      body ??= new Cutter(decryption.segmentBytes)
      for (const sealed of body.add(rest))
        controller.enqueue(await decryption.decryptSegment(sealed, position++, false))
    },
    flush: async (controller) => {
      const sealed = body?.rest()
      if (!decryption || !sealed?.length) throw new FloeError('truncated')
      controller.enqueue(await decryption.decryptSegment(sealed, position, true))
    },
  })
}

/** Cuts pieces of any length to one length. */
class Cutter {
  readonly bytes: number
  #buffer: Bytes
  #filled = 0

  constructor(bytes: number) {
    this.bytes = bytes
    this.#buffer = new Uint8Array(bytes)
  }

  get isFull(): boolean {
    return this.#filled === this.bytes
  }

  /** What is full is given out when more comes, for the last of all is another matter. */
  *add(piece: Uint8Array): Generator<Bytes> {
    let offset = 0
    while (offset < piece.length) {
      if (this.isFull) yield this.#take()
      offset += this.fill(piece.subarray(offset))
    }
  }

  /** How many bytes of the piece there was room for. */
  fill(piece: Uint8Array): number {
    const part = piece.subarray(0, this.bytes - this.#filled)
    this.#buffer.set(part, this.#filled)
    this.#filled += part.length
    return part.length
  }

  rest(): Bytes {
    return this.#buffer.slice(0, this.#filled)
  }

  #take(): Bytes {
    const full = this.#buffer
    this.#buffer = new Uint8Array(this.bytes)
    this.#filled = 0
    return full
  }
}
