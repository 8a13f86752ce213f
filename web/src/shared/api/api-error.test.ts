import { expect, it } from 'vitest'
import { readApiError } from './api-error.ts'

it('finds the code in a header where the body has no place for one', async () => {
  const body = { statusCode: 429, message: 'ThrottlerException: Too Many Requests' }
  const headers = { 'X-Error-Code': 'too_many_requests', 'Retry-After': '840' }
  const error = await readApiError(new Response(JSON.stringify(body), { status: 429, headers }))
  expect(error).toMatchObject({ status: 429, code: 'too_many_requests', retryAfterSeconds: 840 })
})

it('takes a page of a proxy for an error without a code', async () => {
  const error = await readApiError(new Response('<h1>Bad gateway</h1>', { status: 502 }))
  expect(error).toMatchObject({ status: 502, code: null, retryAfterSeconds: null })
})
