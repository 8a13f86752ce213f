import { expect, test } from 'vitest'
import { chooseCoding } from './accept-encoding.ts'
import { isFilePath } from './file-paths.ts'

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', null],
  ['identity', null],
  ['gzip;q=nonsense', null],
  ['', null],
  [undefined, null],
])('serves %j as %s', (header, coding) => {
  expect(chooseCoding(header, ['br', 'gzip'])).toBe(coding)
})

test('serves only what is stored', () => {
  expect(chooseCoding('br, gzip', ['gzip'])).toBe('gzip')
  expect(chooseCoding('br, gzip', [])).toBeNull()
})

test('knows where only files live', () => {
  expect(isFilePath('/assets/x.js')).toBe(true)
  expect(isFilePath('/img/logo.png')).toBe(true)
  expect(isFilePath('/share/abc')).toBe(false)
})
