import { configCatalogue } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { fromAmount, toAmount, unitFor, unitsOf } from './config-units.ts'

describe('unitFor', () => {
  it.each([
    ['byte', 0, 'gigabyte'],
    ['byte', 1, 'byte'],
    ['byte', 65_536, 'byte'],
    ['byte', 10_000_000, 'megabyte'],
    ['byte', 1_500_000_000, 'gigabyte'],
    ['byte', 1_073_741_824, 'byte'],
    ['byte', 2_000_000_000_000, 'terabyte'],
    ['hour', 0, 'day'],
    ['hour', 1, 'hour'],
    ['hour', 36, 'hour'],
    ['hour', 48, 'day'],
    ['hour', 168, 'week'],
    ['day', 90, 'day'],
    ['day', 14, 'week'],
  ] as const)('reads %s %d in %s', (kind, value, unit) => {
    expect(unitFor(kind, value)).toBe(unit)
  })
})

describe('an amount', () => {
  it('comes back as the value it was made of, whatever that is', () => {
    for (const variable of Object.values(configCatalogue)) {
      if (!('unit' in variable)) continue
      for (const value of [variable.default, variable.min, 1, 7, 1_234_567, 10_000_000]) {
        const unit = unitFor(variable.unit, value)
        expect(unitsOf(variable.unit)).toContain(unit)
        expect(fromAmount(variable.unit, toAmount(variable.unit, value, unit), unit)).toBe(value)
      }
    }
  })

  it('is rounded to what the setting counts', () => {
    expect(fromAmount('byte', 0.0005, 'kilobyte')).toBe(1)
    expect(fromAmount('byte', 1.5, 'gigabyte')).toBe(1_500_000_000)
  })
})
