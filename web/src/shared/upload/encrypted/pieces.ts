/** Encrypted in one go and held until the server has it: a segment made again has other bytes. */
export const BLOCK_BYTES = 8 * 2 ** 20

/** Whole segments of a ciphertext. */
export interface Block {
  body: Blob
  /** As `Upload-Checksum` has it. */
  checksum: string
}

/** What one request takes of a ciphertext. */
export interface Piece<B extends Block> {
  body: Blob
  /** Of a whole block: the server keeps all of it or nothing. */
  checksum: string | null
  /** That it is of. */
  block: B
  /** Where the block begins. */
  blockOffset: number
}

/** Cuts a ciphertext into what is sent. */
export function createPieces<B extends Block>(
  make: (offset: number, mostBytes: number) => Promise<B>,
  sizeBytes: number,
) {
  /** Of a block, as it was asked for last. */
  let mostBytes = BLOCK_BYTES
  let held: { offset: number; block: B } | null = null
  let next: { offset: number; block: B } | null = null

  async function hold(offset: number) {
    const isHeld = held && offset >= held.offset && offset < held.offset + held.block.body.size
    if (held && isHeld) return held
    const made = next?.offset === offset ? next : { offset, block: await make(offset, mostBytes) }
    next = null
    held = made
    return made
  }

  return {
    async take(offset: number, most: number): Promise<Piece<B>> {
      mostBytes = Math.min(BLOCK_BYTES, most)
      const { offset: blockOffset, block } = await hold(offset)
      const { body, checksum } = block
      const from = offset - blockOffset
      if (from === 0 && body.size <= mostBytes) return { body, checksum, block, blockOffset }
      // A part of a segment that outlives this page is of no use to the next one.
      const part = body.slice(from, from + mostBytes)
      return { body: part, checksum: null, block, blockOffset }
    },
    /** Makes the block behind the one that is held. */
    async makeNext(): Promise<void> {
      const offset = held ? held.offset + held.block.body.size : 0
      if (next?.offset === offset || offset >= sizeBytes) return
      next = { offset, block: await make(offset, mostBytes) }
    },
  }
}
