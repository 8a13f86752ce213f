import { updateCrc32 } from './crc32.ts'
import { createBlobReader } from './blob-reader.ts'

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
  const reader = createBlobReader(file)
  let { bytes, crc32 } = known
  while (bytes < toBytes) {
    const piece = await reader.read(bytes, Math.min(bytes + PIECE_BYTES, toBytes))
    crc32 = updateCrc32(piece, crc32)
    bytes += piece.length
    yield { bytes, crc32 }
  }
}
