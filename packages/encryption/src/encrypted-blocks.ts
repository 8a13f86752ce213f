import {
  DEFAULT_SEGMENT_BYTES,
  type FloeEncryption,
  FloeLayout,
  HEADER_BYTES,
  MIN_SEGMENT_BYTES,
} from '@floe/aead'
import type { Range } from './opened-share.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** As long as they may be, so that requests of this length hold whole ones. */
export function segmentBytesWithin(mostRequestBytes: number): number {
  const most = Math.min(DEFAULT_SEGMENT_BYTES, mostRequestBytes)
  return Math.max(MIN_SEGMENT_BYTES, 2 ** Math.floor(Math.log2(most)))
}

/** How long the ciphertext of a text is, in such segments. */
export function encryptedBytes(textBytes: number, segmentBytes: number): number {
  return FloeLayout.ofText(textBytes, segmentBytes).cipherBytes
}

export interface EncryptedBlocks {
  /** Of the whole ciphertext. */
  readonly cipherBytes: number
  /**
   * How much of the text lies before this offset of the ciphertext; `null` unless a segment begins
   * there, or the file ends.
   */
  textBytesBefore(offset: number): number | null
  /**
   * The ciphertext from there on: as many whole segments as fit, at least one. Each time with other
   * bytes, either of which is good, and in memory that the next call uses again.
   *
   * @throws RangeError Where no segment begins.
   */
  encrypt(offset: number, mostBytes: number): Promise<Bytes>
}

/**
 * A file whose ciphertext is made piece by piece, from any segment on.
 *
 * @param read All of a range of the text, or an error.
 */
export function createBlocks(
  encryption: FloeEncryption,
  textBytes: number,
  read: (range: Range) => Promise<Bytes>,
): EncryptedBlocks {
  const layout = FloeLayout.ofText(textBytes, encryption.segmentBytes)
  let memory: Bytes = new Uint8Array(0)

  /** In front of the first one lies the header, too. */
  function positionAt(offset: number): number | null {
    if (offset === 0) return 0
    const position = (offset - HEADER_BYTES) / layout.segmentBytes
    return Number.isInteger(position) && position > 0 ? position : null
  }

  function lastThatFits(first: number, offset: number, mostBytes: number): number {
    const fits = (position: number) => layout.cipherRange(position).end - offset <= mostBytes
    let last = first
    while (!layout.isLast(last) && fits(last + 1)) last += 1
    return last
  }

  return {
    cipherBytes: layout.cipherBytes,
    textBytesBefore(offset) {
      if (offset === layout.cipherBytes) return textBytes
      const position = offset < layout.cipherBytes ? positionAt(offset) : null
      return position === null ? null : layout.plainRange(position).start
    },
    async encrypt(offset, mostBytes) {
      const first = positionAt(offset)
      if (first === null || first >= layout.segmentCount) throw new RangeError('No segment begins')
      const last = lastThatFits(first, offset, mostBytes)
      const { start } = layout.plainRange(first)
      const bytes = layout.cipherRange(last).end - offset
      const text = await read({ start, end: layout.plainRange(last).end })
      if (memory.length < bytes) memory = new Uint8Array(bytes)
      const block = memory.subarray(0, bytes)
      if (offset === 0) block.set(encryption.header)
      const seal = (position: number) => {
        const [plain, cipher] = [layout.plainRange(position), layout.cipherRange(position)]
        const part = text.subarray(plain.start - start, plain.end - start)
        const into = block.subarray(cipher.start - offset, cipher.end - offset)
        return encryption.encryptSegment(part, position, layout.isLast(position), into)
      }
      await Promise.all(Array.from({ length: last - first + 1 }, (_, index) => seal(first + index)))
      return block
    },
  }
}
