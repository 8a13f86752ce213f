import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { createApiToken, hashApiToken, isApiToken } from './api-token-text.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a token is the prefix, thirty characters that are drawn, and the checksum of both', () => {
  const { token, prefix } = createApiToken()
  expect(token).toMatch(/^floe_[0-9A-Za-z]{36}$/)
  const number = Array.from(token.slice(-6)).reduce(
    (sum, digit) => sum * 62 + digits.indexOf(digit),
    0,
  )
  expect(number).toBe(crc32(token.slice(0, -6)))
  expect(token.startsWith(prefix)).toBe(true)
  expect(prefix).toHaveLength(10)
})

test('no two are alike, and what is kept is a digest', () => {
  const tokens = Array.from({ length: 200 }, createApiToken)
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(200)
  for (const { token, hash } of tokens) {
    expect(hash).toEqual(hashApiToken(token))
    expect(hash).toHaveLength(32)
  }
})

test('a typing error is seen without asking anybody', () => {
  const { token } = createApiToken()
  expect(isApiToken(token)).toBe(true)
  for (let place = 'floe_'.length; place < token.length; place += 1) {
    const other = token[place] === 'a' ? 'b' : 'a'
    expect(isApiToken(token.slice(0, place) + other + token.slice(place + 1))).toBe(false)
  }
  expect(isApiToken(`${token} shares:read`)).toBe(false)
})
