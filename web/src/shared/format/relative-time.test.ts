import { expect, it } from 'vitest'
import { formatAgo } from './relative-time.ts'

const now = new Date('2026-03-10T12:00:00Z')

it.each([
  ['2026-03-10T12:00:30Z', 'now'],
  ['2026-03-10T11:59:30Z', 'now'],
  ['2026-03-10T11:58:30Z', '1 minute ago'],
  ['2026-03-10T09:59:00Z', '2 hours ago'],
  ['2026-03-09T11:00:00Z', 'yesterday'],
  ['2026-03-01T12:00:00Z', 'last week'],
  ['2025-12-01T12:00:00Z', '3 months ago'],
])('says when %s was', (date, text) => {
  expect(formatAgo(new Date(date), now.getTime(), 'en')).toBe(text)
})
