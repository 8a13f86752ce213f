import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createBufferPool, slabBytes } from './buffer-pool.ts'

const sizes = [8, 16, 32, 64, 128, 256, 512, 1024].map((kibibytes) => kibibytes * 1024)

describe('createBufferPool', () => {
  test('hands the same memory out again', () => {
    const pool = createBufferPool({ restingBytes: 4 * slabBytes })
    const first = pool.take(slabBytes)
    pool.give(first)
    for (let round = 0; round < 100; round += 1) {
      const quarters = [1, 2, 3, 4].map(() => pool.take(slabBytes / 4))
      for (const quarter of quarters) pool.give(quarter)
    }
    expect(pool.take(slabBytes).buffer === first.buffer).toBe(true)
    expect(pool.slabBytes).toBe(slabBytes)
  })

  test('never hands out overlapping buffers and joins everything again at the end', () => {
    const pool = createBufferPool({ restingBytes: 64 * slabBytes })
    const held: { buffer: Buffer; mark: number }[] = []
    for (let step = 0; step < 3_000; step += 1) {
      if (held.length > 0 && randomInt(2) === 0) {
        const [given] = held.splice(randomInt(held.length), 1)
        if (given === undefined) continue
        const { buffer, mark } = given
        expect([buffer[0], buffer.at(-1)]).toEqual([mark, mark])
        pool.give(buffer)
      } else {
        const buffer = pool.take(sizes[randomInt(sizes.length)] ?? slabBytes)
        const mark = randomInt(256)
        held.push({ buffer: buffer.fill(mark), mark })
      }
    }
    for (const { buffer } of held) pool.give(buffer)
    expect(pool.freeBytes).toBe(pool.slabBytes)
    const whole = Array.from({ length: pool.slabBytes / slabBytes }, () => pool.take(slabBytes))
    expect(pool.freeBytes).toBe(0)
    expect(whole.length * slabBytes).toBe(pool.slabBytes)
  })

  test('lets go of whole slabs beyond what may rest', () => {
    const pool = createBufferPool({ restingBytes: 2 * slabBytes })
    const buffers = [1, 2, 3, 4, 5].map(() => pool.take(slabBytes))
    for (const buffer of buffers) pool.give(buffer)
    expect(pool.slabBytes).toBe(2 * slabBytes)
  })

  test('gives sizes it does not keep, and takes them back', () => {
    const pool = createBufferPool({ restingBytes: slabBytes })
    for (const sizeBytes of [1, 5000, 3 * slabBytes]) {
      const buffer = pool.take(sizeBytes)
      expect(buffer.length).toBe(sizeBytes)
      pool.give(buffer)
    }
    expect(pool.slabBytes).toBe(0)
  })

  test('refuses a buffer given back twice', () => {
    const pool = createBufferPool({ restingBytes: slabBytes })
    const buffer = pool.take(slabBytes / 2)
    pool.take(slabBytes / 2)
    pool.give(buffer)
    expect(() => pool.give(buffer)).toThrow(expect.objectContaining({ code: 'internal' }))
  })
})
