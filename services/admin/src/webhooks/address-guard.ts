import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Where one request goes: the name is not looked up again. */
export interface CheckedAddress {
  address: string
  family: 4 | 6
}

/** Why nothing is sent: the text is for the log of deliveries. */
export class AddressRefusal extends Error {}

export interface AddressGuard {
  /**
   * The address of a host, if something may be sent there. Throws an `AddressRefusal`, also where
   * there is no such host. A host that has an address inside as well is refused.
   */
  check(host: string): Promise<CheckedAddress>
}

/**
 * What is not the internet (RFC 6890, and what came later): this machine, private and shared networks,
 * links, where clouds tell secrets, groups, and what carries an IPv4 address in an IPv6 one.
 */
const inside = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
  ...['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32'],
  ...['2002::/16', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]

export type ResolveHost = (host: string) => Promise<{ address: string; family: number }[]>

const resolveByDns: ResolveHost = (host) => lookup(host, { all: true })

/** `allowed` are networks that the operator names: what lies there may be told. */
export function createAddressGuard({
  allowed,
  resolve = resolveByDns,
}: {
  allowed: readonly string[]
  resolve?: ResolveHost
}): AddressGuard {
  const refusedNetworks = networksOf(inside)
  const allowedNetworks = networksOf(allowed)

  function isAllowed({ address, family }: { address: string; family: number }): boolean {
    // `::ffff:127.0.0.1` is 127.0.0.1.
    const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
    if (mapped) return isAllowed({ address: mapped, family: 4 })
    const kind = family === 6 ? 'ipv6' : 'ipv4'
    return allowedNetworks.check(address, kind) || !refusedNetworks.check(address, kind)
  }

  async function addressesOf(host: string) {
    const literal = host.replace(/^\[|\]$/g, '')
    const family = isIP(literal)
    if (family !== 0) return [{ address: normalize(literal, family), family }]
    try {
      return await resolve(host)
    } catch {
      throw new AddressRefusal(`There is no host ${host}`)
    }
  }

  return {
    async check(host) {
      const addresses = await addressesOf(host)
      const [first] = addresses
      if (!first) throw new AddressRefusal(`There is no host ${host}`)
      const refused = addresses.find((one) => !isAllowed(one))
      if (refused) throw new AddressRefusal(`Nothing is sent to ${refused.address}`)
      return { address: first.address, family: first.family === 6 ? 6 : 4 }
    },
  }
}

/** As the parser of addresses writes it: `::ffff:7f00:1` becomes `::ffff:127.0.0.1`. */
function normalize(address: string, family: number): string {
  if (family !== 6) return address
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`)
  const short = hostname.slice(1, -1)
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short)
  if (!hex) return short
  const [high, low] = [parseInt(hex[1] ?? '0', 16), parseInt(hex[2] ?? '0', 16)]
  return `::ffff:${[high >> 8, high & 255, low >> 8, low & 255].join('.')}`
}

function networksOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    const kind = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(network, Number(prefix ?? (kind === 'ipv6' ? 128 : 32)), kind)
  }
  return list
}
