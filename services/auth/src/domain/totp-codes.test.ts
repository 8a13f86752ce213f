import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { createTotpSecret, matchTotpCode, totpAuthUrl } from './totp-codes.ts'

// RFC 6238, appendix B: the ASCII text 12345678901234567890, here in base32.
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1000)
const match = (code: string, seconds: number, lastTimeStep: number | null = null) =>
  matchTotpCode(code, { secret: rfcSecret, now: at(seconds), lastTimeStep })

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1234567890, '005924'],
  [2000000000, '279037'],
])('accepts the code of RFC 6238 at %i', (seconds, code) => {
  expect(match(code, seconds)).toBe(Math.floor(seconds / 30))
})

test('accepts codes of a secret of 80 bits, as older authenticators have', () => {
  const secret = 'JBSWY3DPEHPK3PXP'
  // The first code that RFC 4226 makes of this secret, counted from 0.
  expect(matchTotpCode('282760', { secret, now: at(0), lastTimeStep: null })).toBe(0)
})

const stepOf = (step: number) => generateSync({ secret: rfcSecret, epoch: step * 30 })

test.each([
  ['of this step', 100, 100],
  ['of the step before', 99, 99],
  ['of the step after', 101, 101],
  ['of two steps before', 98, null],
  ['of two steps after', 102, null],
])('a code %s', (_, step, matched) => {
  expect(match(stepOf(step), 100 * 30 + 29)).toBe(matched)
  expect(match(stepOf(step), 100 * 30)).toBe(matched)
})

test('no code counts again, nor one of an earlier step', () => {
  const now = 100 * 30
  expect(match(stepOf(100), now, 100)).toBeNull()
  expect(match(stepOf(99), now, 100)).toBeNull()
  expect(match(stepOf(101), now, 100)).toBe(101)
})

test('a clock that was put back refuses, and does not fail', () => {
  expect(match(stepOf(100), 100 * 30, 500)).toBeNull()
})

test.each(['', '12345', '1234567', 'abcdef', '12 456', '１２３４５６', '-12345'])(
  'refuses %j',
  (code) => {
    expect(match(code, 59)).toBeNull()
  },
)

test('secrets are 160 random bits in base32', () => {
  expect(createTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(createTotpSecret()).not.toBe(createTotpSecret())
})

test.each([
  ['Floe', 'ada@example.org', 'Floe:ada%40example.org', 'Floe'],
  ['Files: ours & 100 %', 'ada', 'Files%20ours%20%26%20100%20%25:ada', 'Files ours & 100 %'],
])('the address for the app names %s and %s', (issuer, label, path, name) => {
  const url = new URL(totpAuthUrl({ issuer, label, secret: rfcSecret }))
  expect(url.href).toContain(`otpauth://totp/${path}?`)
  expect(url.searchParams.get('secret')).toBe(rfcSecret)
  expect(url.searchParams.get('issuer')).toBe(name)
})
