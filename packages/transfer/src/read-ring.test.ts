import { describe, expect, test, vi } from 'vitest'
import { createTransferMemory } from './memory/transfer-memory.ts'
import { createReadRing } from './read-ring.ts'

const KIB = 1024

function createRing(sizeBytes = Infinity, streams = 1) {
  const memory = createTransferMemory({ totalBytes: 48 * 1024 * KIB })
  const [share = memory.join()] = Array.from({ length: streams }, () => memory.join())
  const onReady = vi.fn<() => void>()
  const onEmpty = vi.fn<() => void>()
  return {
    memory,
    onReady,
    onEmpty,
    ring: createReadRing({ memory, share, sizeBytes, onReady, onEmpty }),
  }
}

test('never hands out memory that is still being written', () => {
  const { ring, onReady } = createRing()
  let isPaused = false
  onReady.mockImplementation(() => (isPaused = false))
  const inFlight = new Map<Buffer, () => void>()
  let seed = 3
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  for (let step = 0; step < 20_000; step++) {
    if (!isPaused && random() < 0.5) {
      const buffer = ring.nextBuffer()
      expect(inFlight.has(buffer)).toBe(false)
      inFlight.set(buffer, ring.hold())
      isPaused = !ring.isReady
      // A socket asks for the next buffer even as it stops reading.
      if (isPaused) ring.nextBuffer()
    } else {
      const [oldest] = inFlight
      if (oldest === undefined) continue
      inFlight.delete(oldest[0])
      oldest[1]()
    }
  }
})

test('a stream alone gets large buffers, and all buffers of many are within the bound', () => {
  expect(createRing().ring.nextBuffer()).toHaveLength(1024 * KIB)
  expect(createRing(Infinity, 50).ring.nextBuffer().length * 3 * 50).toBeLessThan(24 * 1024 * KIB)
})

test('a small body gets a small buffer', () => {
  expect(createRing(0).ring.nextBuffer()).toHaveLength(64 * KIB)
  expect(createRing(100 * KIB).ring.nextBuffer()).toHaveLength(128 * KIB)
})

describe('buffers are returned', () => {
  test('once they were written', () => {
    const { ring, memory, onEmpty } = createRing()
    ring.nextBuffer()
    const written = [ring.hold(), ring.hold()]
    ring.nextBuffer()
    ring.close()
    ring.close()
    expect([memory.inUseBytes, onEmpty.mock.calls.length]).toEqual([1024 * KIB, 0])
    for (const done of written) done()
    expect([memory.inUseBytes, onEmpty.mock.calls.length]).toEqual([0, 1])
  })

  test('at once where nobody is left to write to, and not again by a late write', () => {
    const { ring, memory, onEmpty } = createRing()
    ring.nextBuffer()
    const written = ring.hold()
    ring.abandon()
    expect(memory.inUseBytes).toBe(0)
    written()
    ring.abandon()
    expect(onEmpty).toHaveBeenCalledOnce()
  })

  test('also by a ring that never read', () => {
    const { ring, onEmpty } = createRing()
    ring.close()
    ring.close()
    expect(onEmpty).toHaveBeenCalledOnce()
  })
})
