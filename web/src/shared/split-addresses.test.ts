import { expect, test } from 'vitest'
import { splitAddresses } from './split-addresses.ts'

const addressesIn = (text: string) =>
  splitAddresses(text).flatMap((part) => (part.isAddress ? [part.text] : []))

test.each([
  ['See https://example.org/a?b=c#d, then reply.', ['https://example.org/a?b=c#d']],
  ['(http://example.org)', ['http://example.org']],
  ['https://example.org/wiki/Ice_(floe)', ['https://example.org/wiki/Ice_(floe)']],
  [
    'HTTPS://Example.org/A!\nhttps://example.org/b.',
    ['HTTPS://Example.org/A', 'https://example.org/b'],
  ],
  ['資料はhttps://example.org/a。', ['https://example.org/a']],
  ['<https://example.org/a>', ['https://example.org/a']],
])('finds the addresses in %j', (text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'ftp://example.org/a',
  'mailto:a@example.org',
  'https://',
  'https://[oops',
  'example.org',
  'xhttps://example.org',
])('finds none in %j', (text) => expect(addressesIn(text)).toEqual([]))

test('loses nothing of the text', () => {
  const text = 'One https://a.example, two (https://b.example) and https:// three.\n<b>four</b>'
  const parts = splitAddresses(text)
  expect(parts.map((part) => part.text).join('')).toBe(text)
})
