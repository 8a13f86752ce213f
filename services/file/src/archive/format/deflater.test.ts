import { randomBytes } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createDeflater, DEFLATE_BLOCK_BYTES, DICTIONARY_BYTES, isWorthIt } from './deflater.ts'

const deflater = createDeflater({ concurrency: 2 })
const none = new Uint8Array()

/** Text of a few words, as compressible as a log file. */
function makeText(bytes: number): Buffer {
  const words = ['upload', 'share', 'visitor', 'archive', 'segment', 'receipt', '\n']
  const noise = randomBytes(Math.ceil(bytes / 4))
  const text = Array.from(noise, (byte) => words[byte % words.length]).join(' ')
  return Buffer.from(text).subarray(0, bytes)
}

async function deflateBlocks(content: Buffer, blockBytes: number, level: number) {
  const chunks: Uint8Array[] = []
  for (let start = 0; start < content.length; start += blockBytes) {
    const block = content.subarray(start, start + blockBytes)
    const dictionary = content.subarray(Math.max(0, start - DICTIONARY_BYTES), start)
    const isLast = start + block.length === content.length
    chunks.push(...(await deflater.deflate(block, { level, dictionary, isLast })))
  }
  return Buffer.concat(chunks)
}

describe('a deflater', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'makes one stream of blocks of any size at level %i',
    async (level) => {
      const content = makeText(300_000)
      for (const blockBytes of [1_000, 40_000, 65_535, 299_999, 300_000]) {
        const stream = await deflateBlocks(content, blockBytes, level)
        expect(inflateRawSync(stream).equals(content)).toBe(true)
        expect(stream.length).toBeLessThan(content.length / 2)
      }
    },
  )

  test('makes blocks hardly larger together than the whole', async () => {
    const content = makeText(4 * DEFLATE_BLOCK_BYTES)
    const whole = await deflateBlocks(content, content.length, 6)
    const blocks = await deflateBlocks(content, DEFLATE_BLOCK_BYTES, 6)
    expect(blocks.length / whole.length).toBeLessThan(1.001)
  })

  test('makes the same bytes each time', async () => {
    const content = Buffer.concat([makeText(140_000), randomBytes(100_000)])
    const first = await deflateBlocks(content, 80_000, 6)
    expect(await deflateBlocks(content, 80_000, 6)).toEqual(first)
  })

  test('leaves what does not shrink nearly as it is, in the middle and at the end', async () => {
    for (const sizeBytes of [1, 65_535, 65_536, DEFLATE_BLOCK_BYTES, 3_000_000]) {
      const content = randomBytes(sizeBytes)
      const stream = await deflateBlocks(content, DEFLATE_BLOCK_BYTES, 6)
      expect(inflateRawSync(stream).equals(content)).toBe(true)
      expect(stream.length - sizeBytes).toBeLessThanOrEqual(5 * Math.ceil(sizeBytes / 65_535) + 15)
    }
    const mixed = Buffer.concat([randomBytes(DEFLATE_BLOCK_BYTES), makeText(100_000)])
    const stream = await deflateBlocks(mixed, DEFLATE_BLOCK_BYTES, 6)
    expect(inflateRawSync(stream).equals(mixed)).toBe(true)
  })

  test('refers to what came before a block', async () => {
    const half = randomBytes(30_000)
    const options = { level: 6, isLast: true }
    const alone = await deflater.deflate(half, { ...options, dictionary: none })
    const [repeated] = await deflater.deflate(half, { ...options, dictionary: half })
    expect(alone.reduce((sum, chunk) => sum + chunk.length, 0)).toBeGreaterThan(30_000)
    expect(repeated?.length).toBeLessThan(1_000)
  })

  test('tells what is worth it from what is not', async () => {
    expect(await deflater.shrinks([makeText(10_000), makeText(10_000)], { level: 6 })).toBe(true)
    expect(await deflater.shrinks([randomBytes(10_000)], { level: 6 })).toBe(false)
    expect(isWorthIt(990, 1_000)).toBe(true)
    expect(isWorthIt(991, 1_000)).toBe(false)
  })

  test('works on no more blocks at once than it may', async () => {
    const { hrtime } = process
    const one = createDeflater({ concurrency: 1 })
    const ends: bigint[] = []
    const blocks = [makeText(200_000), makeText(1_000), makeText(1_000)]
    await Promise.all(
      blocks.map(async (block, index) => {
        await one.deflate(block, { level: 9, dictionary: none, isLast: true })
        ends[index] = hrtime.bigint()
      }),
    )
    expect(ends).toEqual(ends.toSorted((a, b) => (a < b ? -1 : 1)))
  })
})
