import { describe, expect, test } from 'vitest'
import { createTransferMemory } from './transfer-memory.ts'

const mebibyte = 2 ** 20

describe('createTransferMemory', () => {
  test('gives a lone stream 4 MiB and two buffers of 1 MiB', () => {
    const memory = createTransferMemory({ totalBytes: 64 * mebibyte })
    const alone = memory.join()
    expect(alone.batchBytes).toBe(4 * mebibyte)
    expect(alone.bufferBytes).toBe(mebibyte)
  })

  test('shrinks every share as streams join and grows it as they leave', () => {
    const memory = createTransferMemory({ totalBytes: 64 * mebibyte })
    const first = memory.join()
    const others = Array.from({ length: 127 }, () => memory.join())
    expect(first.batchBytes).toBe(mebibyte / 4)
    expect(first.bufferBytes).toBe(mebibyte / 8)
    for (const other of others) other.leave()
    expect(first.batchBytes).toBe(4 * mebibyte)
  })

  test('keeps the sum of all shares within the bound for up to two thousand streams', () => {
    const totalBytes = 64 * mebibyte
    const memory = createTransferMemory({ totalBytes })
    for (let count = 1; count <= 2_000; count += 1) {
      const { batchBytes } = memory.join()
      expect(batchBytes * count).toBeLessThanOrEqual(totalBytes / 2)
      expect(batchBytes).toBeGreaterThanOrEqual(16 * 1024)
    }
  })

  test('takes what is set aside out of the shares, and leaves streams a sixth', () => {
    const memory = createTransferMemory({ totalBytes: 48 * mebibyte })
    const [first] = Array.from({ length: 24 }, () => memory.join())
    expect(first?.batchBytes).toBe(mebibyte)
    memory.setAside(memory.mostAsideBytes)
    expect(memory.mostAsideBytes).toBe(40 * mebibyte)
    expect(first?.batchBytes).toBe(mebibyte / 4)
    memory.setAside(-memory.mostAsideBytes)
    expect(first?.batchBytes).toBe(mebibyte)
  })

  test('counts a stream that leaves twice once', () => {
    const memory = createTransferMemory({ totalBytes: mebibyte })
    const [one] = [memory.join(), memory.join()]
    one.leave()
    one.leave()
    expect(memory.streams).toBe(1)
  })

  test('lets at most a quarter of the bound rest in the pool', () => {
    const memory = createTransferMemory({ totalBytes: 16 * mebibyte })
    const buffers = Array.from({ length: 16 }, () => memory.takeBuffer(mebibyte))
    for (const buffer of buffers) {
      memory.returnBuffer(buffer)
      expect(memory.pooledBytes).toBeLessThanOrEqual(4 * mebibyte)
    }
    expect(memory.pooledBytes).toBe(4 * mebibyte)
  })
})
