/** Why a file is no logo, in the order in which they are looked for. */
export type PngFault = 'not_png' | 'damaged' | 'too_many_pixels' | 'not_square' | 'animated'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const HEADER_BYTES = 13
/** Length and type before a chunk's data, its CRC behind them (PNG, third edition, 5.3). */
const BEFORE_DATA_BYTES = 8
const AROUND_DATA_BYTES = BEFORE_DATA_BYTES + 4

/**
 * What the chunks of a file tell, without decoding any: so a bomb is refused by its header, and a
 * file that is cut off by its missing end. `null` says that it is worth decoding.
 */
export function findPngFault(
  bytes: Uint8Array,
  { mostEdge }: { mostEdge: number },
): PngFault | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return 'not_png'
  const chunks = readChunks(file)
  const header: Chunk | undefined = chunks.next().value ?? undefined
  if (header?.type !== 'IHDR' || header.lengthBytes !== HEADER_BYTES) return 'damaged'
  return findSizeFault(file, header, mostEdge) ?? findFrameFault(chunks)
}

function findSizeFault(file: Buffer, { start }: Chunk, mostEdge: number): PngFault | null {
  const width = file.readUInt32BE(start)
  const height = file.readUInt32BE(start + 4)
  if (width === 0 || height === 0) return 'damaged'
  if (width > mostEdge || height > mostEdge) return 'too_many_pixels'
  return width === height ? null : 'not_square'
}

/** Reads the chunks behind the header up to the end of the picture. */
function findFrameFault(chunks: Iterable<Chunk>): PngFault | null {
  for (const { type } of chunks) {
    // Only the first frame of an animated PNG would be shown.
    if (type === 'acTL') return 'animated'
    if (type === 'IEND') return null
  }
  return 'damaged'
}

interface Chunk {
  type: string
  start: number
  lengthBytes: number
}

/** The chunks that are there in full. */
function* readChunks(file: Buffer): Generator<Chunk, undefined> {
  let position = SIGNATURE.length
  while (position + AROUND_DATA_BYTES <= file.length) {
    const lengthBytes = file.readUInt32BE(position)
    const start = position + BEFORE_DATA_BYTES
    if (start + lengthBytes + 4 > file.length) return
    yield { type: file.toString('latin1', position + 4, start), start, lengthBytes }
    position += AROUND_DATA_BYTES + lengthBytes
  }
}
