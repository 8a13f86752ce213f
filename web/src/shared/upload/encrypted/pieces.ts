/** Encrypted in one go and held until the server has it: a segment made again has other bytes. */
export const BLOCK_BYTES = 8 * 2 ** 20

/** Whole segments of a ciphertext. */
export interface Block {
  offset: number
  body: Blob
  /** As `Upload-Checksum` has it. */
  checksum: string
}

/** What one request takes of a ciphertext. */
export interface Piece {
  body: Blob
  /** Of a whole block: the server keeps all of it or nothing. */
  checksum: string | null
}

/** Cuts a ciphertext into what is sent; while a block is under way, the one behind it is made. */
export function createPieces(
  make: (offset: number, mostBytes: number) => Promise<Block>,
  sizeBytes: number,
) {
  let held: Block | null = null
  let next: { offset: number; block: Promise<Block> } | null = null

  function take(offset: number, mostBytes: number): Promise<Block> {
    const block = next?.offset === offset ? next.block : make(offset, mostBytes)
    next = null
    return block
  }

  function makeNext(offset: number, mostBytes: number): void {
    if (offset >= sizeBytes) return
    next = { offset, block: make(offset, mostBytes) }
    // It fails again when it is asked for.
    next.block.catch(() => (next = null))
  }

  async function holding(offset: number, mostBytes: number): Promise<Block> {
    if (held && offset >= held.offset && offset < held.offset + held.body.size) return held
    const block = await take(offset, mostBytes)
    held = block
    makeNext(offset + block.body.size, mostBytes)
    return block
  }

  return {
    async take(offset: number, mostBytes: number): Promise<Piece> {
      const block = await holding(offset, Math.min(BLOCK_BYTES, mostBytes))
      const from = offset - block.offset
      if (from === 0 && block.body.size <= mostBytes) return block
      // A part of a segment that outlives this page is of no use to the next one.
      return { body: block.body.slice(from, from + mostBytes), checksum: null }
    },
    drop() {
      held = null
      next = null
    },
  }
}
