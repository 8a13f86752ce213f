import { expect, it } from 'vitest'
import { formatSeconds, formatTimeLeft } from './format.ts'

it('writes a time left in its largest unit, rounded up', () => {
  expect(formatSeconds(45, 'en')).toBe('45 sec')
  expect(formatSeconds(61, 'en')).toBe('2 min')
  expect(formatSeconds(7201, 'en')).toBe('3 hr')
})

it('spells a time out where it stands in a sentence', () => {
  expect(formatSeconds(1, 'en', 'long')).toBe('1 second')
  expect(formatSeconds(840, 'en', 'long')).toBe('14 minutes')
})

it.each([
  [30, 'in 1 minute', 'in 1 Minute'],
  [-5, 'in 1 minute', 'in 1 Minute'],
  [90 * 60, 'in 90 minutes', 'in 90 Minuten'],
  [36 * 3600, 'in 36 hours', 'in 36 Stunden'],
  [7 * 86_400 - 40, 'in 7 days', 'in 7 Tagen'],
  [90 * 86_400, 'in 3 months', 'in 3 Monaten'],
  [3 * 366 * 86_400, 'in 3 years', 'in 3 Jahren'],
])('says in words that it is %i seconds ahead', (seconds, english, german) => {
  const date = new Date(seconds * 1000)
  expect(formatTimeLeft(date, 0, 'en')).toBe(english)
  expect(formatTimeLeft(date, 0, 'de')).toBe(german)
})
