import { expect, test } from 'vitest'
import { clientNetwork } from './client-network.ts'

test.each([
  ['an IPv4 address', '192.0.2.1', '192.0.2.1'],
  ['an IPv4 address mapped into IPv6', '::ffff:192.0.2.1', '192.0.2.1'],
  ['what is no address', '', ''],
])('counts %s as itself', (_, address, network) => {
  expect(clientNetwork(address)).toBe(network)
})

test.each([
  ['2001:db8:1:1100::1', '2001:db8:1:11ff:ffff:ffff:ffff:ffff'],
  ['2001:db8:1:1100::1', '2001:DB8:1:1100:0:0:0:2%eth0'],
  ['::1', '::2'],
  ['64:ff9b::192.0.2.1', '64:ff9b::192.0.2.2'],
])('counts %s and %s as one: nobody gets one IPv6 address alone', (one, other) => {
  expect(clientNetwork(one)).toBe(clientNetwork(other))
})

test.each([
  ['2001:db8:1:1100::1', '2001:db8:1:1200::1'],
  ['2001:db8::1', '2001:db9::1'],
  ['192.0.2.1', '192.0.2.2'],
])('keeps %s and %s apart', (one, other) => {
  expect(clientNetwork(one)).not.toBe(clientNetwork(other))
})
