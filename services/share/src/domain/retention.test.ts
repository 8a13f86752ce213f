import { defaultSettings } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { keptAt, keptUntil } from './retention.ts'

const now = new Date('2026-05-10T12:00:00.000Z')
const kept = (hours: number) => ({ ...defaultSettings(), 'share.fileRetentionPeriod': hours })
const ended = { expiresAt: new Date('2026-05-09T12:00:00.000Z'), state: 'completed' } as const

describe('the files of a share that ended a day ago', () => {
  it('are kept until the period is over', () => {
    expect(keptUntil(ended, kept(25), now)).toEqual(new Date('2026-05-10T13:00:00.000Z'))
    expect(keptUntil(ended, kept(24), now)).toBeNull()
  })

  it('are not kept by default, nor those of a draft', () => {
    expect(keptUntil(ended, defaultSettings(), now)).toBeNull()
    expect(keptUntil({ ...ended, state: 'open' }, kept(48), now)).toBeNull()
  })
})

it('says nothing of a share that lasts, or that ends in this moment and leaves nothing', () => {
  expect(keptUntil({ ...ended, expiresAt: null }, kept(48), now)).toBeNull()
  expect(keptUntil({ ...ended, expiresAt: new Date(+now + 1) }, kept(48), now)).toBeNull()
  expect(keptUntil({ ...ended, expiresAt: now }, kept(0), now)).toBeNull()
})

it('reaches back as far as the period, which is nothing by default', () => {
  expect(keptAt(defaultSettings(), now)).toEqual({ now, keptSince: now })
  expect(keptAt(kept(24), now).keptSince).toEqual(ended.expiresAt)
  expect(keptAt(kept(1_000_000), now).keptSince.getUTCFullYear()).toBe(1912)
})
