import { expect, test } from 'vitest'
import { rateLimitUsage, tooManyRequests } from './too-many-requests.ts'

const limit = { name: 'wrong-password', points: 20, windowSeconds: 300 }

test('tells the limit, what is left and the seconds until it is whole again', () => {
  expect(rateLimitUsage(limit, { remaining: 7, resetMs: 61_001 })).toEqual({
    points: 20,
    remaining: 7,
    resetSeconds: 62,
  })
})

test('a refusal says when to come back', () => {
  const state = { isExceeded: true, spent: 21, remaining: 0, resetMs: 299_400 }
  expect(tooManyRequests(limit, state)).toMatchObject({
    code: 'too_many_requests',
    rateLimit: { points: 20, remaining: 0, resetSeconds: 300 },
    retryAfterSeconds: 300,
  })
})

test('never asks to come back at once', () => {
  const state = { isExceeded: true, spent: 21, remaining: 0, resetMs: 0 }
  expect(tooManyRequests(limit, state).retryAfterSeconds).toBe(1)
})
