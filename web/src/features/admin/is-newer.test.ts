import { expect, it } from 'vitest'
import { isNewer } from './is-newer.ts'

it.each([
  ['0.24.2', true],
  ['0.25.0', true],
  ['1.0.0', true],
  ['0.100.0', true],
  ['0.24.1', false],
  ['0.24.0', false],
  ['0.9.9', false],
  ['1.0.0-beta.1', false],
  ['latest', false],
  ['', false],
])('%s next to 0.24.1 is newer: %s', (version, expected) => {
  expect(isNewer(version, '0.24.1')).toBe(expected)
})
