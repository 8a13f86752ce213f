import { crc32, deflateSync } from 'node:zlib'

export interface BlackPngOptions {
  interlaced?: boolean
  /** Whole chunks between the header and the pixels. */
  chunks?: readonly Buffer[]
}

/** A PNG of so many black pixels, one bit each. */
export function blackPng(
  width: number,
  height: number,
  { interlaced = false, chunks = [] }: BlackPngOptions = {},
): Buffer {
  const rowBytes = Math.ceil(width / 8) + 1
  // Interlaced rows come in seven passes of other lengths; zeros do for all of them.
  const rows = Buffer.alloc(rowBytes * height * (interlaced ? 2 : 1))
  const header = pngHeader({ width, height, depth: 1, colourType: 0, interlaced })
  return pngFile([header, ...chunks, pngChunk('IDAT', deflateSync(rows))])
}

/** A square PNG of one colour. */
export function colourPng(edge: number, colour: readonly [number, number, number]): Buffer {
  const row = Buffer.alloc(1 + edge * 3)
  for (let at = 0; at < edge * 3; at++) row[at + 1] = colour[at % 3] ?? 0
  const rows = Buffer.concat(Array.from({ length: edge }, () => row))
  const header = pngHeader({ width: edge, height: edge, depth: 8, colourType: 2 })
  return pngFile([header, pngChunk('IDAT', deflateSync(rows))])
}

/** A signature, these chunks, and the end. */
export function pngFile(chunks: readonly Buffer[]): Buffer {
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, ...chunks, pngChunk('IEND', Buffer.alloc(0))])
}

export function pngHeader({
  width,
  height,
  depth,
  colourType,
  interlaced = false,
}: {
  width: number
  height: number
  depth: number
  colourType: number
  interlaced?: boolean
}): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([depth, colourType, 0, 0, interlaced ? 1 : 0], 8)
  return pngChunk('IHDR', data)
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
