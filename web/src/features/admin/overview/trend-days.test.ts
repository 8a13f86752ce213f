import type { Overview } from '@floe/contracts'
import { expect, it } from 'vitest'
import { trendDays } from './trend-days.ts'

const counts = { storageBytes: 1, shares: 2, users: 3 }
const today = new Date('2026-03-02T12:00:00Z')

function overview(rest: Partial<Overview>): Overview {
  return { now: counts, days: [], jobs: null, audit: [], ...rest }
}

it('has every day of the last thirty, unknown ones empty, and ends with what there is now', () => {
  const days = trendDays(
    overview({ days: [{ day: '2026-02-28', ...counts, shares: 9 }] }),
    'shares',
    today,
  )
  expect(days).toHaveLength(30)
  expect(days[0]).toEqual({ day: '2026-02-01', value: null })
  expect(days.slice(-3)).toEqual([
    { day: '2026-02-28', value: 9 },
    { day: '2026-03-01', value: null },
    { day: '2026-03-02', value: 2 },
  ])
})

it('ends with what was noted today while nobody can tell what there is now', () => {
  const days = trendDays(
    overview({
      now: { storageBytes: null, shares: null, users: null },
      days: [{ day: '2026-03-02', ...counts }],
    }),
    'users',
    today,
  )
  expect(days.at(-1)?.value).toBe(3)
})
