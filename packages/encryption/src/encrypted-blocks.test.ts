import { decryptStream } from '@floe/aead'
import { describe, expect, test } from 'vitest'
import {
  beginFile,
  createBlocks,
  createContentKey,
  createFileId,
  openFile,
  segmentBytesWithin,
} from './index.ts'

const SEGMENT_BYTES = 4096
const PLAIN_BYTES = SEGMENT_BYTES - 32
const HEADER_BYTES = 74

const contentKey = createContentKey()

async function blocksOf(textBytes: number) {
  const id = createFileId()
  const text = Uint8Array.from({ length: textBytes }, (_, index) => (index * 31 + 7) % 256)
  const encryption = await beginFile(contentKey, id, { segmentBytes: SEGMENT_BYTES })
  const blocks = createBlocks(encryption, textBytes, async ({ start, end }) =>
    text.slice(start, end),
  )
  const decrypt = async (ciphertext: Uint8Array) => {
    const stream = new Blob([new Uint8Array(ciphertext)]).stream()
    const opened = stream.pipeThrough(decryptStream((header) => openFile(contentKey, id, header)))
    return Buffer.from(await new Response(opened).arrayBuffer())
  }
  return { blocks, text, decrypt }
}

describe('blocks of a file', () => {
  test.each([
    [0, 1],
    [1, SEGMENT_BYTES],
    [PLAIN_BYTES, 100_000],
    [3 * PLAIN_BYTES, SEGMENT_BYTES + HEADER_BYTES],
    [5 * PLAIN_BYTES + 17, 2 * SEGMENT_BYTES + HEADER_BYTES - 1],
    [5 * PLAIN_BYTES + 17, Infinity],
  ])('of %i bytes, of %i bytes each, are its ciphertext', async (textBytes, mostBytes) => {
    const { blocks, text, decrypt } = await blocksOf(textBytes)
    const ciphertext: Uint8Array[] = []
    let offset = 0
    while (offset < blocks.cipherBytes) {
      const block = Buffer.from(await blocks.encrypt(offset, mostBytes))
      const isOne = block.length <= SEGMENT_BYTES + (offset === 0 ? HEADER_BYTES : 0)
      expect(block.length <= mostBytes || isOne).toBe(true)
      ciphertext.push(block)
      offset += block.length
    }
    expect(offset).toBe(blocks.cipherBytes)
    expect((await decrypt(Buffer.concat(ciphertext))).equals(text)).toBe(true)
  })

  test('may be encrypted again from any segment on, and are still of one file', async () => {
    const { blocks, text, decrypt } = await blocksOf(3 * PLAIN_BYTES)
    const first = Buffer.from(await blocks.encrypt(0, HEADER_BYTES + SEGMENT_BYTES))
    const lost = Buffer.from(await blocks.encrypt(first.length, Infinity))
    const again = Buffer.from(await blocks.encrypt(first.length, Infinity))
    expect(again.equals(lost)).toBe(false)
    expect((await decrypt(Buffer.concat([first, again]))).equals(text)).toBe(true)
  })

  test('begin at segments, and nowhere else', async () => {
    const { blocks } = await blocksOf(2 * PLAIN_BYTES + 5)
    const edges = [0, 1, 2].map((count) => [HEADER_BYTES + count * SEGMENT_BYTES, count])
    const known = [[0, 0], ...edges.slice(1), [blocks.cipherBytes, 2]] as [number, number][]
    for (const [offset, count] of known) {
      const isEnd = offset === blocks.cipherBytes
      expect(blocks.textBytesBefore(offset)).toBe(count * PLAIN_BYTES + (isEnd ? 5 : 0))
    }
    for (const offset of [1, HEADER_BYTES, HEADER_BYTES + 1, blocks.cipherBytes + 1])
      expect(blocks.textBytesBefore(offset)).toBeNull()
    await expect(blocks.encrypt(HEADER_BYTES + 1, Infinity)).rejects.toThrow(RangeError)
    await expect(blocks.encrypt(blocks.cipherBytes, Infinity)).rejects.toThrow(RangeError)
  })

  test('have segments that requests of a limit hold whole', () => {
    expect(segmentBytesWithin(Infinity)).toBe(2 ** 18)
    expect(segmentBytesWithin(200_000)).toBe(2 ** 17)
    expect(segmentBytesWithin(100)).toBe(4096)
  })
})
