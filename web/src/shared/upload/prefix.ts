import { updateCrc32 } from './crc32.ts'

/** The first bytes of a file, as far as they were read. */
export interface Prefix {
  bytes: number
  crc32: number
}

export const emptyPrefix: Prefix = { bytes: 0, crc32: 0 }

const PIECE_BYTES = 4 * 1024 * 1024

/** Reads the first bytes of a file on from what is known of it. Throws where it cannot be read. */
export async function* readOn(
  file: Blob,
  known: Prefix,
  toBytes: number,
): AsyncGenerator<Prefix, void> {
  let { bytes, crc32 } = known
  while (bytes < toBytes) {
    const end = Math.min(bytes + PIECE_BYTES, toBytes, file.size)
    const piece = new Uint8Array(await file.slice(bytes, end).arrayBuffer())
    if (piece.length === 0) throw new Error(`The file ends at ${bytes} of ${toBytes} bytes`)
    crc32 = updateCrc32(piece, crc32)
    bytes += piece.length
    yield { bytes, crc32 }
  }
}
