import { expect, test } from 'vitest'
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts'

test('makes ten different codes of 80 bits', () => {
  const codes = createRecoveryCodes()
  expect(codes).toHaveLength(10)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
})

test('uses every letter of its alphabet', () => {
  const letters = new Set(Array.from({ length: 50 }, createRecoveryCodes).flat().join(''))
  expect(letters.size).toBe(33)
})

test('reads a code however it is typed', () => {
  const hash = hashRecoveryCode('abcd-efgh-ijkl-2345')
  expect(hash).toHaveLength(32)
  for (const typed of ['abcdefghijkl2345', ' ABCD EFGH-IJKL 2345 ', 'a-b-cdefghijkl2345']) {
    expect(hashRecoveryCode(typed)).toEqual(hash)
  }
  expect(hashRecoveryCode('abcd-efgh-ijkl-2346')).not.toEqual(hash)
})

test.each(['', '123456', 'abcd-efgh-ijkl-234', 'abcd-efgh-ijkl-23456', 'abcd-efgh-ijkl-2389'])(
  '%j is no code',
  (typed) => {
    expect(hashRecoveryCode(typed)).toBeNull()
  },
)
