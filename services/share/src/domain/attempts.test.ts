import type { LimitState, RateLimits } from '@floe/limits'
import { expect, test } from 'vitest'
import { createAttempts, delayAfter } from './attempts.ts'

const fresh: LimitState = { spent: 0, remaining: 20, isExceeded: false, resetMs: 0 }
/** Nobody has ever guessed. */
const roomyLimits: RateLimits = {
  peek: async () => fresh,
  spend: async () => ({ ...fresh, spent: 1, remaining: 19 }),
  forget: async () => undefined,
}

test('a client that guesses at a hundred shares at once lets a visitor of another address in between', async () => {
  const attempts = createAttempts({ limits: roomyLimits })
  const order: string[] = []
  const enter = (clientAddress: string, subject: string) =>
    attempts.checkPassword({ subject, clientAddress }, async () => {
      await new Promise(setImmediate)
      order.push(clientAddress)
      return true
    })
  const flood = Array.from({ length: 100 }, (_, index) => enter('192.0.2.1', `share ${index}`))
  await Promise.all([...flood, enter('192.0.2.2', 'share 0')])
  expect(order).toHaveLength(101)
  expect(order.indexOf('192.0.2.2')).toBeLessThanOrEqual(4)
})

test('a client that looks for a hundred links at once lets a sender of another address in between', async () => {
  const attempts = createAttempts({ limits: roomyLimits })
  const order: string[] = []
  const follow = (clientAddress: string) =>
    attempts.followLink(clientAddress, async () => {
      await new Promise(setImmediate)
      order.push(clientAddress)
      return null
    })
  await Promise.all([
    ...Array.from({ length: 100 }, () => follow('192.0.2.1')),
    follow('192.0.2.2'),
  ])
  expect(order.indexOf('192.0.2.2')).toBeLessThanOrEqual(4)
})

test.each([
  [0, 0],
  [99, 0],
  [100, 10],
  [199, 1_000],
  [299, 2_000],
  [1_000_000, 2_000],
])('after %i wrong passwords an attempt waits %i ms', (failures, delayMs) => {
  expect(delayAfter(failures)).toBe(delayMs)
})
