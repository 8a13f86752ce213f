import { expirationSchema, shareIdSchema } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { shareLink } from '../share-link.ts'
import { defaultExpiry, expiryDate, latestExpiry, toExpiration } from './expiry-choice.ts'
import { generateShareId } from '@floe/contracts'

describe('an expiry', () => {
  it('is proposed in days where the hours make whole days, never past the maximum', () => {
    expect(defaultExpiry({ defaultHours: 168, maxHours: 0 })).toMatchObject({
      amount: 7,
      unit: 'day',
    })
    expect(defaultExpiry({ defaultHours: 168, maxHours: 30 })).toMatchObject({
      amount: 30,
      unit: 'hour',
    })
  })

  it('is written as the wire wants it', () => {
    for (const amount of [1, 2, 99_999]) {
      const text = toExpiration({ amount, unit: 'month', never: false })
      expect(expirationSchema.safeParse(text).success, text).toBe(true)
    }
    expect(toExpiration({ amount: 3, unit: 'day', never: true })).toBe('never')
  })

  it('has no date while the number makes none', () => {
    const now = new Date('2026-01-31T00:00:00Z')
    expect(expiryDate({ amount: 0, unit: 'day', never: false }, now)).toBeNull()
    expect(expiryDate({ amount: '', unit: 'day', never: false }, now)).toBeNull()
    expect(expiryDate({ amount: 1, unit: 'month', never: false }, now)?.toISOString()).toBe(
      '2026-02-28T00:00:00.000Z',
    )
    expect(latestExpiry(0, now).toISOString()).toBe('9999-12-31T23:59:59.999Z')
  })
})

describe('a link', () => {
  it('is generated in the wanted length from letters every link may have', () => {
    for (const length of [3, 8, 50]) {
      const id = generateShareId(length)
      expect(id).toHaveLength(length)
      expect(shareIdSchema.safeParse(id).success).toBe(true)
    }
  })

  it('uses the configured address once there is one', () => {
    const origin = 'http://10.0.0.2:3000'
    const at = (appUrl: string) => shareLink({ shareId: 'a', appUrl, origin })
    expect(at('http://localhost:3000')).toBe('http://10.0.0.2:3000/s/a')
    expect(at('http://localhost:8080')).toBe('http://10.0.0.2:3000/s/a')
    expect(at('https://files.example/')).toBe('https://files.example/s/a')
  })
})
