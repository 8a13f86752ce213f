import { randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { combineCrc32 } from './crc32.ts'

describe('combineCrc32', () => {
  test('equals the CRC-32 of the joined bytes for any split', () => {
    for (let round = 0; round < 200; round += 1) {
      const bytes = randomBytes(randomInt(0, 5000))
      const cut = randomInt(0, bytes.length + 1)
      const tail = bytes.subarray(cut)
      const combined = combineCrc32(crc32(bytes.subarray(0, cut)), crc32(tail), tail.length)
      expect(combined).toBe(crc32(bytes))
    }
  })

  test('leaves the first CRC as it is when nothing follows', () => {
    expect(combineCrc32(0xdeadbeef, 0, 0)).toBe(0xdeadbeef)
  })

  test('is associative for lengths beyond 32 bits', () => {
    const [a, b, c] = [0x12345678, 0x9abcdef0, 0x0fedcba9] as const
    const [lengthB, lengthC] = [5 * 2 ** 30 + 1, 3 * 2 ** 33 + 7] as const
    const left = combineCrc32(combineCrc32(a, b, lengthB), c, lengthC)
    const right = combineCrc32(a, combineCrc32(b, c, lengthC), lengthB + lengthC)
    expect(left).toBe(right)
  })

  test('knows the CRC-32 of 4 GiB of zeros', () => {
    // From zlib's crc32() over 2^32 zero bytes.
    let crc = crc32(Buffer.alloc(1024))
    for (let bytes = 1024; bytes < 2 ** 32; bytes *= 2) crc = combineCrc32(crc, crc, bytes)
    expect(crc).toBe(0xd202ef8d)
  })
})
