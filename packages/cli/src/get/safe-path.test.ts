import { expect, test } from 'vitest'
import { distinctPaths, safePath } from './safe-path.ts'

test.each([
  ['photos/2026/a.jpg', 'photos/2026/a.jpg'],
  ['Grüße 世界.txt', 'Grüße 世界.txt'],
  ['.hidden', '.hidden'],
  ['../../etc/passwd', '__/__/etc/passwd'],
  ['/etc/passwd', 'etc/passwd'],
  ['a/./b//c', 'a/b/c'],
  ['a\nb\u001b[31m', 'a_b_[31m'],
  ['..', '__'],
  ['/', 'file'],
  ['', 'file'],
])('%j is written as %j', (name, path) => {
  expect(safePath(name, 'linux')).toBe(path)
})

test.each([
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['a:b?.txt', 'a_b_.txt'],
  ['..\\..\\x', '.._.._x'],
  ['name. ', 'name_'],
])('Windows writes %j as %j', (name, path) => {
  expect(safePath(name, 'win32')).toBe(path)
})

test('two files never go to one place', () => {
  expect(distinctPaths(['a.txt', 'a.txt', 'A.TXT', 'b/a.txt', 'x/../a', '../a'], 'linux')).toEqual([
    'a.txt',
    'a (2).txt',
    'A (3).TXT',
    'b/a.txt',
    'x/__/a',
    '__/a',
  ])
})
