import { AppError } from '@floe/errors'
import { expect, test } from 'vitest'
import { errorBody } from './error-answer.ts'

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
