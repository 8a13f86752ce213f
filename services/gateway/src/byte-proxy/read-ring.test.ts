import { expect, test } from 'vitest'
import { createReadRing } from './read-ring.ts'
import { createTransferBudget } from './transfer-budget.ts'

const KIB = 1024

test('never hands out memory that is still being written', () => {
  let isPaused = false
  const ring = createReadRing(createTransferBudget(), () => (isPaused = false))
  const inFlight = new Map<Buffer, () => void>()
  let seed = 3
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  for (let step = 0; step < 20_000; step++) {
    if (!isPaused && random() < 0.5) {
      const buffer = ring.nextBuffer(null)
      expect(inFlight.has(buffer)).toBe(false)
      inFlight.set(buffer, ring.hold())
      isPaused = !ring.isReady
      // A socket asks for the next buffer even as it stops reading.
      if (isPaused) ring.nextBuffer(null)
    } else {
      const [oldest] = inFlight
      if (oldest === undefined) continue
      inFlight.delete(oldest[0])
      oldest[1]()
    }
  }
})

test('a transfer alone gets large buffers and many share a bound', () => {
  const budget = createTransferBudget(24 * 1024 * KIB)
  budget.enter()
  expect(budget.slotBytes(Number.MAX_SAFE_INTEGER)).toBe(1024 * KIB)
  for (let i = 1; i < 50; i++) budget.enter()
  expect(budget.slotBytes(Number.MAX_SAFE_INTEGER) * 3 * 50).toBeLessThanOrEqual(24 * 1024 * KIB)
  for (let i = 1; i < 50; i++) budget.leave()
  expect(budget.slotBytes(Number.MAX_SAFE_INTEGER)).toBe(1024 * KIB)
})

test('a small body gets a small buffer', () => {
  expect(createTransferBudget().slotBytes(100)).toBe(64 * KIB)
  expect(createTransferBudget().slotBytes(100 * KIB)).toBe(128 * KIB)
})

test('returned buffers are used again', () => {
  const budget = createTransferBudget()
  const slot = budget.takeSlot(64 * KIB)
  budget.giveSlot(slot)
  expect(budget.takeSlot(64 * KIB)).toBe(slot)
})
