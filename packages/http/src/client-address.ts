import { isIPv6, SocketAddress } from 'node:net'
import type { RequestHandler } from 'express'

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/** An IPv4 address as such, also where a socket for both families maps it into IPv6. */
export function plainAddress(address: string): string {
  if (!/^::ffff:/i.test(address) || !isIPv6(address)) return address
  const { address: canonical } = new SocketAddress({ address, family: 'ipv6' })
  return mapped.exec(canonical)?.[1] ?? address
}

/**
 * Makes `req.ip` the plain address for all that comes after, so that a client is one and the same
 * in every list and count, over IPv4 and IPv6 sockets alike. Goes before all that read it.
 */
export function plainClientAddress(): RequestHandler {
  return (req, _res, next) => {
    const { ip } = req
    if (ip !== undefined) Object.defineProperty(req, 'ip', { value: plainAddress(ip) })
    next()
  }
}
