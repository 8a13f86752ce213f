import { isIPv6 } from 'node:net'

const GROUPS = 8
/** One customer commonly gets a /56, and has all addresses in it. */
const NETWORK_BITS = 56

/** What a limit counts by: an IPv4 address, or the network an IPv6 address belongs to. */
export function clientNetwork(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase()
  if (!isIPv6(bare)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)
  if (mapped?.[1] !== undefined) return mapped[1]
  const bytes = Buffer.alloc(2 * GROUPS)
  expandGroups(bare).forEach((group, index) => bytes.writeUInt16BE(group, 2 * index))
  return `${bytes.subarray(0, NETWORK_BITS / 8).toString('hex')}/${NETWORK_BITS}`
}

/** RFC 4291 §2.2; a dotted end never matters here, as it lies beyond the network. */
function expandGroups(address: string): number[] {
  const [head = '', tail] = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::')
  const before = parseGroups(head)
  const after = parseGroups(tail ?? '')
  return [...before, ...Array<number>(GROUPS - before.length - after.length).fill(0), ...after]
}

function parseGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
