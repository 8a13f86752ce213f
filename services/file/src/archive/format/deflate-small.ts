import { crc32 } from 'node:zlib'
import { readFully } from '@floe/archive'
import type { ByteSource } from '@floe/transfer'
import type { Deflater } from './deflater.ts'

/** Files up to here are deflated in memory, in one go. */
export const SMALL_FILE_BYTES = 1024 * 1024

export async function deflateSmall({
  deflater,
  source,
  level,
  sizeBytes,
}: {
  deflater: Deflater
  source: ByteSource
  level: number
  sizeBytes: number
}): Promise<{ chunks: readonly Uint8Array[]; sizeBytes: number; sourceCrc32: number }> {
  const content = Buffer.allocUnsafe(sizeBytes)
  await readFully(source, content, 0)
  const options = { level, dictionary: new Uint8Array(), isLast: true }
  const chunks = await deflater.deflate(content, options)
  return {
    chunks,
    sizeBytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    sourceCrc32: crc32(content),
  }
}
