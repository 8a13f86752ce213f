import { AppError } from '@floe/errors'
import { expect, test } from 'vitest'
import { errorBody, errorHeaders, statusOf, toAppError } from './error-response.ts'

test('a refused rush has exactly the two members clients know', () => {
  expect(errorBody(new AppError('too_many_requests'))).toEqual({
    statusCode: 429,
    message: 'ThrottlerException: Too Many Requests',
  })
})

test('any other error carries its code in the body', () => {
  expect(errorBody(new AppError('wrong_password'))).toEqual({
    statusCode: 403,
    message: 'Invalid password',
    error: 'wrong_password',
    code: 'wrong_password',
  })
})

test('an outage is told as one that may be over soon, wherever it was met', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  for (const error of [cause, new AppError('internal', { cause, detail: 'object store: put' })]) {
    const outage = toAppError(error)
    expect(statusOf(outage)).toBe(502)
    expect(errorHeaders(outage)).toEqual({
      'X-Error-Code': 'upstream_unavailable',
      'Retry-After': '1',
    })
  }
  expect(toAppError(new AppError('internal', { cause: new Error('x') })).code).toBe('internal')
})

test('a rate limit that is used up is told in headers', () => {
  const rateLimit = { points: 20, remaining: 0, resetSeconds: 300 }
  const error = new AppError('too_many_requests', { rateLimit, retryAfterSeconds: 300 })
  expect(statusOf(error)).toBe(429)
  expect(errorHeaders(error)).toEqual({
    'X-Error-Code': 'too_many_requests',
    'X-RateLimit-Limit': '20',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': '300',
    'Retry-After': '300',
  })
})

test.each(['ambiguous_request', 'expectation_failed'] as const)(
  '%s ends its connection',
  (code) => {
    expect(errorHeaders(new AppError(code))).toMatchObject({ Connection: 'close' })
  },
)
