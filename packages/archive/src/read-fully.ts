import { AppError } from '@floe/errors'
import type { ByteReader } from './byte-reader.ts'

/** Fills the whole buffer. Fails with `internal` when the source ends before it is full. */
export async function readFully(
  source: Pick<ByteReader, 'read'>,
  target: Uint8Array,
  position: number,
): Promise<void> {
  let filled = 0
  while (filled < target.length) {
    const rest = filled === 0 ? target : target.subarray(filled)
    const count = await source.read(rest, position + filled)
    if (count === 0) throw new AppError('internal', { detail: 'object is shorter than its row' })
    filled += count
  }
}
