import { describe, expect, it } from 'vitest'
import { resolveExpiration } from './expiration.ts'

const now = new Date('2026-01-31T12:00:00.000Z')
const rule = { now, rules: { maxExpiration: 0, allowNeverExpires: true } }
const fails = (code: string) => expect.objectContaining({ code })

describe('resolveExpiration', () => {
  it('reads relative terms by the calendar', () => {
    expect(resolveExpiration('1-month', rule)).toEqual(new Date('2026-02-28T12:00:00.000Z'))
    expect(resolveExpiration('never', rule)).toBeNull()
  })

  it('takes an ISO date in the future, with any offset', () => {
    const expected = new Date('2026-02-01T00:00:00.000Z')
    expect(resolveExpiration('2026-02-01T05:30:00+05:30', rule)).toEqual(expected)
  })

  it.each(['2026-01-31T12:00:00.000Z', '1970-01-01T00:00:00.000Z', '99999-years', 'nonsense'])(
    'refuses %s',
    (text) => {
      expect(() => resolveExpiration(text, rule)).toThrow(fails('validation_failed'))
    },
  )

  it('refuses never where shares have to end, and takes any end', () => {
    const ending = { now, rules: { maxExpiration: 0, allowNeverExpires: false } }
    expect(() => resolveExpiration('never', ending)).toThrow(fails('share_needs_end'))
    expect(resolveExpiration('900-years', ending)).not.toBeNull()
  })

  it('takes exactly the maximum and refuses a minute more', () => {
    const limited = { now, rules: { maxExpiration: 24, allowNeverExpires: true } }
    expect(resolveExpiration('24-hours', limited)).toEqual(new Date('2026-02-01T12:00:00.000Z'))
    for (const text of ['1441-minutes', 'never', '2026-02-01T12:01:00Z']) {
      expect(() => resolveExpiration(text, limited)).toThrow(fails('share_expiration_too_long'))
    }
  })
})
