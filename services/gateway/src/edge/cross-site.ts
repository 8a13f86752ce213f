import { AppError } from '@floe/errors'
import { apiToken } from '@floe/http'
import type { RequestHandler } from 'express'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface RequestOrigin {
  method: string
  /** The request's own host: `Host`, or a trusted proxy's `X-Forwarded-Host`. */
  host: string
  origin: string | undefined
  fetchSite: string | undefined
}

/**
 * `unknown-origin`: the Origin is not the request's own host, so it must be one of the site's
 * configured addresses or the request is refused.
 */
export type CrossSiteVerdict = 'pass' | 'refuse' | 'unknown-origin'

/**
 * Judges a request by what only browsers send. Clients that send neither header, such as curl,
 * carry no cookies of a victim and pass.
 */
export function judgeOrigin({ method, host, origin, fetchSite }: RequestOrigin): CrossSiteVerdict {
  if (SAFE_METHODS.has(method)) return 'pass'
  if (fetchSite === 'cross-site') return 'refuse'
  if (origin === undefined) {
    // A sibling subdomain is another site to us, and without an Origin cannot be told from ours.
    return fetchSite === 'same-site' ? 'refuse' : 'pass'
  }
  const originHost = hostOfOrigin(origin)
  if (originHost === null) return 'refuse'
  return originHost === withoutDefaultPort(host, origin) ? 'pass' : 'unknown-origin'
}

/**
 * Refuses state-changing requests that another site made. One with an API token passes: no cookie
 * counts for it, so another site can do no more than anybody with that token.
 */
export function refuseCrossSite(ownOrigins: () => Promise<readonly string[]>): RequestHandler {
  return async (req, _res, next) => {
    if (apiToken(req) !== null) {
      next()
      return
    }
    const origin = req.get('origin')
    const verdict = judgeOrigin({
      method: req.method,
      host: req.host ?? '',
      origin,
      fetchSite: req.get('sec-fetch-site'),
    })
    if (verdict === 'refuse') throw new AppError('cross_site_request')
    if (verdict === 'unknown-origin') {
      const own = (await ownOrigins()).map(originOf)
      if (!own.includes(originOf(origin ?? ''))) throw new AppError('cross_site_request')
    }
    next()
  }
}

/** Scheme, host and port of an address, `null` for what has none. */
function originOf(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  return url === null || url.origin === 'null' ? null : url.origin
}

function hostOfOrigin(origin: string): string | null {
  const known = originOf(origin)
  return known === null ? null : new URL(known).host
}

function withoutDefaultPort(host: string, origin: string): string {
  const address = `${new URL(origin).protocol}//${host}`
  return URL.canParse(address) ? new URL(address).host : ''
}
