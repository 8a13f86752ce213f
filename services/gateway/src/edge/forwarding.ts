import type { IncomingMessage } from 'node:http'
import { INTERNAL_SECRET_HEADER, REQUEST_ID_HEADER } from '@floe/contracts'
import type { RequestFraming } from '@floe/http'
import type { Request, RequestHandler } from 'express'

/** They describe one connection and never travel on (RFC 9110 §7.6.1). */
export const HOP_BY_HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The gateway sets these itself, so a client's values are dropped. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'forwarded',
  'x-real-ip',
  'expect',
  INTERNAL_SECRET_HEADER.toLowerCase(),
  REQUEST_ID_HEADER.toLowerCase(),
])

function isForwardingHeader(name: string): boolean {
  return name === 'forwarded' || name === 'x-real-ip' || name.startsWith('x-forwarded-')
}

/** Is this a header the client may send on to a service? `name` is lower-case. */
export function travels(name: string): boolean {
  return !HOP_BY_HOP_HEADERS.has(name) && !ownHeaders.has(name) && !isForwardingHeader(name)
}

/** Lower-case names that the request's Connection field declares private to this connection. */
export function connectionNames(req: IncomingMessage): ReadonlySet<string> {
  const options = (req.headers.connection ?? '').toLowerCase().split(',')
  return new Set(options.map((option) => option.trim()))
}

/**
 * Forgets forwarding headers that do not come from a trusted proxy, so that nothing further in
 * can believe them by accident. The internal secret is never accepted from outside.
 */
export function dropUntrustedHeaders(): RequestHandler {
  return (req, _res, next) => {
    delete req.headers[INTERNAL_SECRET_HEADER.toLowerCase()]
    if (!isFromTrustedProxy(req)) {
      for (const name of Object.keys(req.headers)) {
        if (isForwardingHeader(name)) delete req.headers[name]
      }
    }
    next()
  }
}

export function isFromTrustedProxy(req: Request): boolean {
  const trusts = req.app.get('trust proxy fn') as (address: string, index: number) => boolean
  return trusts(req.socket.remoteAddress ?? '', 0)
}

/** Tells a service where the body ends, as the gateway itself has parsed it. */
export function framingHeaders(framing: RequestFraming): [name: string, value: string][] {
  if (framing.kind === 'chunked') return [['Transfer-Encoding', 'chunked']]
  return framing.kind === 'length' ? [['Content-Length', String(framing.bytes)]] : []
}

/**
 * What a service is told about the request's origin: the client alone, not the chain, so that a
 * service that trusts its one peer sees the right address.
 */
export function forwardedHeaders(req: Request): [name: string, value: string][] {
  const requestId = req.headers[REQUEST_ID_HEADER.toLowerCase()]
  return [
    ['X-Forwarded-For', req.ip ?? ''],
    ['X-Forwarded-Proto', req.protocol],
    ['X-Forwarded-Host', req.host ?? ''],
    ...(typeof requestId === 'string' ? [[REQUEST_ID_HEADER, requestId] as [string, string]] : []),
  ]
}
