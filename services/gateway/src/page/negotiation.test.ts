import { expect, test } from 'vitest'
import { chooseCoding } from './accept-encoding.ts'
import { isFilePath, isPagePath } from './page-paths.ts'

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

test('knows the pages, and that files are none', () => {
  const pages = ['/', '/upload', '/upload/tok', '/auth/signIn', '/auth/totp/x', '/account/shares']
  const more = [
    '/admin',
    '/admin/config/general',
    '/share/abc',
    '/share/abc/edit',
    '/share/abc/activity',
    '/error',
    '/account/',
  ]
  for (const path of [...pages, ...more]) expect(isPagePath(path), path).toBe(true)
  for (const path of ['/nope', '/share', '/share/a/b', '/admin/x/y/z', '/wp-login.php']) {
    expect(isPagePath(path), path).toBe(false)
  }
  expect(isFilePath('/assets/x.js')).toBe(true)
  expect(isFilePath('/img/logo.png')).toBe(true)
  expect(isFilePath('/share/abc')).toBe(false)
})
