import { expect, test } from 'vitest'
import { createChunkMemory } from './chunk-memory.ts'

test('gives back the memory of chunks that have one of their own, at once', () => {
  const { release } = createChunkMemory()
  for (let round = 0; round < 2; round++) {
    const chunks = [Buffer.allocUnsafeSlow(65_536), Buffer.allocUnsafeSlow(1)]
    release(chunks)
    expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0])
  }
  release([])
})

test('leaves memory alone that chunks share', () => {
  const { release } = createChunkMemory()
  const whole = Buffer.allocUnsafeSlow(16).fill('x')
  const pooled = Buffer.from('of the pool')
  release([whole.subarray(0, 8), whole.subarray(8), pooled])
  expect(whole.toString()).toBe('x'.repeat(16))
  expect(pooled.toString()).toBe('of the pool')
})
