import { createReadStream } from 'node:fs'
import { crc32 } from 'node:zlib'

/** The CRC-32 of the first bytes of a file; of fewer where it is shorter. */
export async function crc32OfBeginning(
  path: string,
  bytes: number,
  onRead: (bytes: number) => void,
): Promise<number> {
  if (bytes === 0) return 0
  let sum = 0
  const source = createReadStream(path, { end: bytes - 1, highWaterMark: 2 ** 20 })
  for await (const chunk of source) {
    const part = chunk as Buffer
    sum = crc32(part, sum)
    onRead(part.length)
  }
  return sum
}

/** Reads `Upload-Checksum: crc32 <base64>`, as tus writes it; `null` where a server says nothing. */
export function readCrc32(header: string | undefined): number | null {
  const match = /^crc32 ([A-Za-z0-9+/]{6}==)$/.exec(header ?? '')
  return match ? Buffer.from(match[1] ?? '', 'base64').readUInt32BE() : null
}

/** As tus writes it. */
export function writeCrc32(bytes: Buffer): string {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return `crc32 ${sum.toString('base64')}`
}
