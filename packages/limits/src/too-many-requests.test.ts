import { expect, test } from 'vitest'
import { limitHeaders, tooManyRequests } from './too-many-requests.ts'

const limit = { name: 'wrong-password', points: 20, windowSeconds: 300 }

test('tells the limit, what is left and the seconds until it is whole again', () => {
  expect(limitHeaders(limit, { remaining: 7, resetMs: 61_001 })).toEqual({
    'X-RateLimit-Limit': '20',
    'X-RateLimit-Remaining': '7',
    'X-RateLimit-Reset': '62',
  })
})

test('a refusal says when to come back', () => {
  const state = { isExceeded: true, spent: 21, remaining: 0, resetMs: 299_400 }
  expect(tooManyRequests(limit, state)).toMatchObject({
    code: 'too_many_requests',
    status: 429,
    headers: {
      'X-RateLimit-Limit': '20',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '300',
      'Retry-After': '300',
    },
  })
})

test('never asks to come back at once', () => {
  const state = { isExceeded: true, spent: 21, remaining: 0, resetMs: 0 }
  expect(tooManyRequests(limit, state).headers).toMatchObject({ 'Retry-After': '1' })
})
