import {
  createReverseShareSchema,
  type OwnReverseShare,
  updateReverseShareSchema,
} from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import {
  latestReceiver,
  newValues,
  toNewReverseShare,
  toUpdate,
  valuesOf,
} from './reverse-share-values.ts'
import { fromBytes, toBytes } from './size-choice.ts'

const own: OwnReverseShare = {
  id: 'r',
  token: 'token',
  maxShareSize: '104857600',
  shareExpiration: '2026-01-01T00:00:00.000Z',
  remainingUses: 2,
  simplified: false,
  hasPassword: true,
  askSenderName: false,
  name: 'Photos',
  createdAt: '2025-01-01T00:00:00.000Z',
  sendEmailNotification: false,
  publicAccess: true,
  shares: [],
}

describe('a size', () => {
  it.each([
    [1, 'byte', 1],
    [999, 'kilobyte', 999_000],
    [1.5, 'gigabyte', 1_500_000_000],
    [99_999, 'megabyte', 99_999_000_000],
  ] as const)('of %d %s is %d bytes', (amount, unit, bytes) => {
    expect(toBytes({ amount, unit })).toBe(bytes)
  })

  it('is none while the number makes none', () => {
    expect(toBytes({ amount: 0, unit: 'gigabyte' })).toBeNull()
    expect(toBytes({ amount: Number.NaN, unit: 'gigabyte' })).toBeNull()
    expect(toBytes({ amount: 0.2, unit: 'byte' })).toBeNull()
    expect(toBytes({ amount: 100_000, unit: 'terabyte' })).toBeNull()
  })

  it('shows in the largest unit that fits', () => {
    expect(fromBytes(50_000_000)).toEqual({ amount: 50, unit: 'megabyte' })
    expect(fromBytes(104_857_600)).toEqual({ amount: 104.86, unit: 'megabyte' })
    expect(fromBytes(1)).toEqual({ amount: 1, unit: 'byte' })
    expect(fromBytes(2_000_000_000_000_000)).toEqual({ amount: 2000, unit: 'terabyte' })
  })
})

describe('a new reverse share', () => {
  it('is written as the wire wants it, without what was left empty', () => {
    const values = { ...newValues({ maxBytes: 0 }), name: 'Photos' }
    const body = toNewReverseShare(values, '3-days')
    expect(body).toMatchObject({ maxShareSize: '1000000000', maxUseCount: 1, name: 'Photos' })
    expect(body).not.toHaveProperty('password')
    expect(body).not.toHaveProperty('token')
    expect(createReverseShareSchema.safeParse(body).success).toBe(true)
  })

  it('never proposes more than a share may hold', () => {
    expect(toBytes(newValues({ maxBytes: 20_000_000 }).size)).toBe(20_000_000)
  })
})

describe('the receiver of another reverse share', () => {
  const of = (publicKey: string) => ({ publicKey, locks: [] })

  it('is the one that was chosen last, however the list is arranged', () => {
    const [early, late] = [
      { ...own, createdAt: '2025-02-01T00:00:00.000Z', receiver: of('early') },
      { ...own, createdAt: '2025-03-01T00:00:00.000Z', receiver: of('late') },
    ]
    expect(latestReceiver([own, early, late])).toEqual(of('late'))
    expect(latestReceiver([late, early, own])).toEqual(of('late'))
  })

  it('is none where nothing is encrypted', () => {
    expect(latestReceiver([own])).toBeNull()
  })
})

describe('a changed reverse share', () => {
  it('sends nothing while nothing differs, whatever the fields round', () => {
    expect(toUpdate(own, valuesOf(own), null)).toBeNull()
  })

  it('sends only what differs, and null for what was cleared', () => {
    const values = {
      ...valuesOf(own),
      name: '',
      uses: 0,
      size: { amount: 50, unit: 'megabyte' as const },
      publicAccess: false,
      removePassword: true,
      password: 'ignored',
    }
    const update = toUpdate(own, values, '1-week')
    expect(update).toEqual({
      shareExpiration: '1-week',
      maxShareSize: '50000000',
      remainingUses: 0,
      name: null,
      password: null,
      publicAccess: false,
    })
    expect(updateReverseShareSchema.safeParse(update).success).toBe(true)
  })
})
