import { expect, test } from 'vitest'
import { createRequestLimit, isProxyRefusal } from './request-limit.ts'

test('a proxy that refuses is asked with less, down to 64 kB', () => {
  const limit = createRequestLimit()
  expect(limit.refused(5_000_000_000)).toBe(true)
  expect(limit.bytes).toBe(100_000_000)
  while (limit.refused(limit.bytes));
  expect(limit.bytes).toBe(64_000)
})

test('connections that are lost make requests no smaller than 1 MB', () => {
  const limit = createRequestLimit()
  for (let losses = 0; losses < 20; losses += 1) limit.lost(Math.min(limit.bytes, 10 ** 9))
  expect(limit.bytes).toBe(1_000_000)
})

test('what Floe refuses itself says nothing about a proxy', () => {
  expect(isProxyRefusal({ status: 413, headers: {} })).toBe(true)
  expect(isProxyRefusal({ status: 413, headers: { 'x-error-code': 'share_too_large' } })).toBe(
    false,
  )
  expect(isProxyRefusal({ status: 502, headers: {} })).toBe(false)
})
