import { describe, expect, test } from 'vitest'
import { createByteBudget } from './byte-budget.ts'

const mebibyte = 2 ** 20

describe('createByteBudget', () => {
  test('gives a lone stream 4 MiB and two buffers of 1 MiB', () => {
    const budget = createByteBudget({ totalBytes: 32 * mebibyte })
    const alone = budget.join()
    expect(alone.batchBytes).toBe(4 * mebibyte)
    expect(alone.bufferBytes).toBe(mebibyte)
  })

  test('shrinks every share as streams join and grows it as they leave', () => {
    const budget = createByteBudget({ totalBytes: 32 * mebibyte })
    const first = budget.join()
    const others = Array.from({ length: 127 }, () => budget.join())
    expect(first.batchBytes).toBe(mebibyte / 4)
    expect(first.bufferBytes).toBe(mebibyte / 8)
    for (const other of others) other.leave()
    expect(first.batchBytes).toBe(4 * mebibyte)
  })

  test('keeps the sum of all shares within the bound for up to two thousand streams', () => {
    const totalBytes = 32 * mebibyte
    const budget = createByteBudget({ totalBytes })
    for (let count = 1; count <= 2_000; count += 1) {
      const { batchBytes } = budget.join()
      expect(batchBytes * count).toBeLessThanOrEqual(totalBytes)
      expect(batchBytes).toBeGreaterThanOrEqual(16 * 1024)
    }
  })

  test('counts a stream that leaves twice once', () => {
    const budget = createByteBudget({ totalBytes: mebibyte })
    const [one] = [budget.join(), budget.join()]
    one.leave()
    one.leave()
    expect(budget.participants).toBe(1)
  })

  test('lets at most half of the bound rest in the pool', () => {
    const budget = createByteBudget({ totalBytes: 8 * mebibyte })
    const buffers = Array.from({ length: 16 }, () => budget.takeBuffer(mebibyte))
    for (const buffer of buffers) {
      budget.returnBuffer(buffer)
      expect(budget.pooledBytes).toBeLessThanOrEqual(4 * mebibyte)
    }
    expect(budget.pooledBytes).toBe(4 * mebibyte)
  })
})
