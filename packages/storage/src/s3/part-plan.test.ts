import { expect, test } from 'vitest'
import { leastPartBytes, placeOf, planParts } from './part-plan.ts'

const tebibyte = 2 ** 40

test.each([0, 1, leastPartBytes, 80 * 2 ** 30, 5 * tebibyte])(
  'an object of %i bytes fits in 10 000 parts',
  (sizeBytes) => {
    const plan = planParts(sizeBytes)
    expect(placeOf(plan, Math.max(0, sizeBytes - 1)).number).toBeLessThanOrEqual(10_000)
    expect(plan.baseBytes).toBeGreaterThanOrEqual(leastPartBytes)
  },
)

test('an object of unknown size may grow to 5 TiB in 10 000 parts of at most 5 GiB', () => {
  const last = placeOf(planParts(undefined), 5 * tebibyte - 1)
  expect(last.number).toBeLessThanOrEqual(10_000)
  expect(last.end - last.start).toBeLessThanOrEqual(5 * 2 ** 30)
})

test.each([undefined, 200 * 2 ** 30])('parts follow one another without gaps', (expectedBytes) => {
  const plan = planParts(expectedBytes)
  let offset = 0
  for (let number = 1; number <= 2500; number += 1) {
    const place = placeOf(plan, offset)
    expect(place).toMatchObject({ number, start: offset })
    expect(placeOf(plan, place.end - 1)).toEqual(place)
    offset = place.end
  }
})
