import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createBlobReader } from './blob-reader.ts'

const content = randomBytes(3_000_000)

/** As browsers have them whose streams of files fill no memory that they are given. */
function withOwnMemory(file: Blob): Blob {
  const own = (part: Blob) =>
    Object.defineProperty(part, 'stream', { value: () => new ReadableStream() })
  return Object.defineProperty(own(file), 'slice', {
    value: (start: number, end: number) => own(Blob.prototype.slice.call(file, start, end)),
  })
}

describe.each([
  ['into the same memory', (file: Blob) => file],
  ['into memory of its own', withOwnMemory],
])('a reader of files %s', (_, toFile) => {
  const file = toFile(new Blob([content]))

  it('reads pieces of any length, in order and not', async () => {
    const reader = createBlobReader(file)
    const ranges = [
      [0, 1],
      [1, 2_000_000],
      [2_000_000, 3_000_000],
      [500, 900_000],
      [900_000, 900_000],
      [0, 3_000_000],
    ] as const
    for (const [start, end] of ranges) {
      expect(content.subarray(start, end).equals(await reader.read(start, end))).toBe(true)
    }
  })

  it('refuses what lies behind the end', async () => {
    const reader = createBlobReader(file)
    await expect(reader.read(2_999_999, 3_000_001)).rejects.toThrow('ends at 3000000 bytes')
  })
})

it('a piece is read into the memory of the one before', async () => {
  const reader = createBlobReader(new Blob([content]))
  await reader.read(0, 1000)
  const { buffer } = await reader.read(1000, 2000)
  await reader.read(2000, 3000)
  // Given away for the next one.
  expect(buffer.byteLength).toBe(0)
})
