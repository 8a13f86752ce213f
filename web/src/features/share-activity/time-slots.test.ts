import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSlots } from './time-slots.ts'

const now = new Date('2026-05-20T14:30:00.000Z')
const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const hour = (time: string, count = 1) => ({ hour: `2026-${time}:00:00.000Z`, count })
const create = (rest: Partial<Parameters<typeof createSlots>[0]>) =>
  createSlots({ createdAt: now, now, views: [], downloads: [], ...rest })

afterEach(() => void vi.unstubAllEnvs())
beforeEach(() => void vi.stubEnv('TZ', 'UTC'))

describe('what a share is shown by', () => {
  test.each([
    [0, 'hour', 24],
    [30, 'hour', 31],
    [47.9, 'hour', 49],
    [48, 'day', 7],
    [24 * 20, 'day', 21],
    [24 * 61, 'day', 62],
    [24 * 62, 'week', 9],
    [24 * 365, 'week', 53],
    [24 * 3650, 'week', 53],
  ])('%d hours after it was made', (age, unit, count) => {
    const made = create({ createdAt: before(age) })
    expect({ unit: made.unit, count: made.slots.length }).toEqual({ unit, count })
  })
})

test('ends with the hour, day or week of now', () => {
  const lastOf = (age: number) => create({ createdAt: before(age) }).slots.at(-1)?.startsAt
  expect(lastOf(1)).toEqual(new Date('2026-05-20T14:00:00.000Z'))
  expect(lastOf(100)).toEqual(new Date('2026-05-20T00:00:00.000Z'))
  expect(lastOf(10_000)).toEqual(new Date('2026-05-14T00:00:00.000Z'))
})

test('every hour counts in its slot, what is older in none', () => {
  const { slots } = create({
    createdAt: before(24 * 9),
    views: [hour('03-01T10', 9), hour('05-11T00'), hour('05-11T23', 2), hour('05-20T14', 4)],
    downloads: [hour('05-12T05', 3)],
  })
  const counted = slots.filter(({ views, downloads }) => views + downloads > 0)
  expect(counted.map(({ startsAt, views, downloads }) => [startsAt.getDate(), views, downloads]))
    // prettier-ignore
    .toEqual([
      [11, 3, 0],
      [12, 0, 3],
      [20, 4, 0],
    ])
})

test('what another clock counted ahead of now is in the last slot', () => {
  expect(create({ views: [hour('05-20T15')] }).slots.at(-1)?.views).toBe(1)
})

test('days are those of the viewer, the ones in which the clocks change too', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const { slots } = createSlots({
    createdAt: new Date('2026-03-27T12:00:00.000Z'),
    now: new Date('2026-03-31T12:00:00.000Z'),
    // 29 March has 23 hours there: from 23 o'clock of the 28th to 22 o'clock of the 29th in UTC.
    views: [hour('03-28T22'), hour('03-28T23', 2), hour('03-29T21', 3), hour('03-29T22', 9)],
    downloads: [],
  })
  const views = Object.fromEntries(slots.map((slot) => [slot.startsAt.getDate(), slot.views]))
  expect(views).toMatchObject({ 28: 1, 29: 5, 30: 9, 31: 0 })
})

test('hours begin at half past where clocks are half an hour off', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata')
  const { slots } = create({ views: [hour('05-20T14', 5)] })
  expect(slots.at(-1)).toMatchObject({ views: 5 })
  expect(slots.at(-1)?.startsAt.getMinutes()).toBe(30)
})
