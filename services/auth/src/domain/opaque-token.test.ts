import { expect, test } from 'vitest'
import { createOpaqueToken, hashOpaqueToken } from './opaque-token.ts'

test('makes unguessable tokens and keeps only their digest', () => {
  const first = createOpaqueToken()
  const second = createOpaqueToken()
  expect(Buffer.from(first.token, 'base64url')).toHaveLength(32)
  expect(first.token).not.toBe(second.token)
  expect(first.hash).toEqual(hashOpaqueToken(first.token))
  expect(first.hash.toString('base64url')).not.toBe(first.token)
})
