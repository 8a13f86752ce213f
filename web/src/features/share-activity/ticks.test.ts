import { expect, test } from 'vitest'
import { chooseLabels, chooseTicks } from './ticks.ts'

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [5, [0, 2, 4, 6]],
  [12, [0, 5, 10, 15]],
  [37, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [1_000, [0, 500, 1_000]],
])('the axis of %d has few whole numbers', (max, ticks) => {
  expect(chooseTicks(max)).toEqual(ticks)
})

test('labels are few, evenly apart, and end with the last', () => {
  expect(chooseLabels(24, 6)).toEqual([3, 7, 11, 15, 19, 23])
  expect(chooseLabels(7, 6)).toEqual([0, 2, 4, 6])
  expect(chooseLabels(1, 6)).toEqual([0])
})
