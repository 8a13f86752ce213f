import { expect, test } from 'vitest'
import { readExpiration } from './duration.ts'
import { UsageError } from './failures.ts'
import { readShareLink } from './get/link.ts'
import { readSize } from './read-size.ts'
import { readAddress } from './server.ts'

test.each([
  ['7d', '7-days'],
  ['30m', '30-minutes'],
  ['12h', '12-hours'],
  ['2w', '2-weeks'],
  ['3mo', '3-months'],
  ['1y', '1-years'],
  ['never', 'never'],
  ['1-day', '1-day'],
  ['2026-12-24', '2026-12-24'],
])('a duration %s is %s', (text, expiration) => {
  expect(readExpiration(text)).toBe(expiration)
})

test.each([
  ['https://files.example.org/s/abc', { address: 'https://files.example.org', shareId: 'abc' }],
  [
    'https://example.org/files/share/a-b_c/',
    { address: 'https://example.org/files', shareId: 'a-b_c' },
  ],
  ['http://[::1]:3000/s/abc?x=1#y', { address: 'http://[::1]:3000', shareId: 'abc' }],
  ['abc', { address: null, shareId: 'abc' }],
])('a link %s is understood', (text, link) => {
  expect(readShareLink(text)).toEqual({ ...link, key: null })
})

test('a link has its key behind the #, and that a password belongs to it', () => {
  const link = `https://example.org/s/abc#k=${'A'.repeat(43)}`
  const shareKey = new Uint8Array(32)
  expect(readShareLink(link).key).toEqual({ shareKey, hasPassword: false })
  expect(readShareLink(`${link}&p=1`).key).toEqual({ shareKey, hasPassword: true })
})

test.each([
  ['files.example.org', 'https://files.example.org'],
  ['https://example.org/files/', 'https://example.org/files'],
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:3000/', 'http://127.0.0.1:3000'],
])('the address %s is %s', (text, address) => {
  expect(readAddress(text)).toBe(address)
})

test.each([
  ['500MB', 500_000_000],
  ['1.5 gb', 1_500_000_000],
  ['1024', 1024],
])('a size of %s is %i bytes', (text, bytes) => {
  expect(readSize(text)).toBe(bytes)
})

test.each([
  () => readExpiration('soon'),
  () => readExpiration('0d'),
  () => readShareLink('ftp://example.org/s/abc'),
  () => readShareLink('https://example.org/other'),
  () => readAddress('https://user:secret@example.org'),
  () => readAddress('not an address'),
  () => readSize('big'),
])('what is not understood is an error of usage: %s', (work) => {
  expect(work).toThrow(UsageError)
})
