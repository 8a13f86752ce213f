import { expect, test } from 'vitest'
import { plainAddress } from './client-address.ts'

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['::1', '::1'],
  ['2001:db8::ffff:1', '2001:db8::ffff:1'],
  ['::ffff:0:127.0.0.1', '::ffff:0:127.0.0.1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['::ffff:nonsense', '::ffff:nonsense'],
  ['', ''],
])('%s is told as %s', (address, plain) => {
  expect(plainAddress(address)).toBe(plain)
})
