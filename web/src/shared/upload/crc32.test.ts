// @vitest-environment node
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { updateCrc32 } from './crc32.ts'

const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * index * 31) % 251)

it('is the CRC-32 of zlib, wherever the bytes begin and end', () => {
  for (const [start, end] of [
    [0, 0],
    [0, 7],
    [0, 1000],
    [3, 11],
    [5, 996],
  ]) {
    const part = bytes.subarray(start, end)
    expect(updateCrc32(part, 0)).toBe(crc32(part))
  }
})

it('goes on from what is known already', () => {
  const first = updateCrc32(bytes.subarray(0, 333), 0)
  expect(updateCrc32(bytes.subarray(333), first)).toBe(crc32(bytes))
})
