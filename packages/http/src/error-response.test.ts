import { AppError } from '@floe/errors'
import { expect, test } from 'vitest'
import { errorBody, toAppError } from './error-response.ts'

test('a refused rush has exactly the two members clients know', () => {
  expect(errorBody(new AppError('too_many_requests'))).toEqual({
    statusCode: 429,
    message: 'ThrottlerException: Too Many Requests',
  })
})

test('any other error carries its code in the body', () => {
  expect(errorBody(new AppError('wrong_password'))).toEqual({
    statusCode: 403,
    message: 'Wrong password',
    error: 'wrong_password',
    code: 'wrong_password',
  })
})

test('an outage is told as one that may be over soon, whoever met it', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  for (const error of [cause, new AppError('internal', { cause, detail: 'object store: put' })]) {
    expect(toAppError(error)).toMatchObject({
      code: 'upstream_unavailable',
      status: 502,
      headers: { 'Retry-After': '1' },
    })
  }
  expect(toAppError(new AppError('internal', { cause: new Error('x') })).code).toBe('internal')
})
