import { expect, it } from 'vitest'
import { formatSeconds } from './format.ts'

it('writes a time left in its largest unit, rounded up', () => {
  expect(formatSeconds(45, 'en')).toBe('45 sec')
  expect(formatSeconds(61, 'en')).toBe('2 min')
  expect(formatSeconds(7201, 'en')).toBe('3 hr')
})

it('spells a time out where it stands in a sentence', () => {
  expect(formatSeconds(1, 'en', 'long')).toBe('1 second')
  expect(formatSeconds(840, 'en', 'long')).toBe('14 minutes')
})
