import { expect, test } from 'vitest'
import { delayAfter } from './attempts.ts'

test.each([
  [0, 0],
  [99, 0],
  [100, 10],
  [199, 1_000],
  [299, 2_000],
  [1_000_000, 2_000],
])('after %i wrong passwords everywhere an attempt waits %i ms', (failures, delayMs) => {
  expect(delayAfter(failures)).toBe(delayMs)
})
