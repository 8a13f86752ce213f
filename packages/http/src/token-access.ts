import {
  type Access,
  ACCESS_TOKEN_COOKIE,
  API_TOKEN_PREFIX,
  type AuthPort,
  type RouteContract,
  writeTokenCredential,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { parse } from 'cookie'
import type { Request, RequestHandler } from 'express'

/** Asks whether a token is good for a route. */
export type TokenChecks = Pick<AuthPort, 'checkToken'>

/** What was let in, for `accessToken` to hand on. */
const credentials = new WeakMap<Request, string>()

const visitorsMayCall: ReadonlySet<Access> = new Set(['anyone', 'share visitor', 'upload url'])

/**
 * The API token that comes with a request: `Authorization: Bearer floe_…` (RFC 6750 §2.1), or as the
 * name or the password of Basic (RFC 7617). `null` for none, and for what is no token of ours.
 */
export function apiToken(req: Pick<Request, 'headers'>): string | null {
  const candidates = readCandidates(readAuthorization(req))
  return candidates.find((text) => text.startsWith(API_TOKEN_PREFIX)) ?? null
}

interface Authorization {
  /** In lower case. */
  scheme: string
  value: string
}

function readAuthorization({ headers }: Pick<Request, 'headers'>): Authorization {
  const [scheme = '', value = ''] = (headers.authorization ?? '').split(/ +/, 2)
  return { scheme: scheme.toLowerCase(), value }
}

function readCandidates({ scheme, value }: Authorization): string[] {
  if (scheme === 'bearer') return [value]
  if (scheme !== 'basic') return []
  return Buffer.from(value, 'base64').toString().split(':', 2)
}

/** The credential of a request that `admitToken` let in. */
export function tokenCredential(req: Request): string | null {
  return credentials.get(req) ?? null
}

/**
 * Lets a token in where it has the scope of the route. Where visitors may call too, one without that
 * scope is a visitor like any other. With a token no cookie counts, so that nothing depends on what
 * else a client happens to send.
 */
export function admitToken(
  {
    scope,
    access,
    refusesOtherBearers,
  }: Pick<RouteContract, 'scope' | 'access' | 'refusesOtherBearers'>,
  tokens: TokenChecks,
): RequestHandler {
  return async (req, _res, next) => {
    const token = apiToken(req)
    if (token === null) {
      if (refusesOtherBearers && isOtherBearer(req)) throw new AppError('token_invalid')
      next()
      return
    }
    delete req.headers.cookie
    const { isInScope } = await tokens.checkToken({
      token,
      scope,
      clientAddress: req.ip ?? '',
      userAgent: req.get('user-agent') ?? '',
    })
    if (scope === 'session') throw new AppError('token_forbidden')
    if (!isInScope && !visitorsMayCall.has(access)) {
      throw new AppError('token_scope', { values: { scope }, members: { scope } })
    }
    if (isInScope && scope !== 'visitor') credentials.set(req, writeTokenCredential(token, scope))
    next()
  }
}

/**
 * A script that meant to send a token, such as one whose variable is empty, would share without an
 * owner. Where a browser is signed in, the bearer is that of a proxy.
 */
function isOtherBearer(req: Request): boolean {
  const { scheme } = readAuthorization(req)
  return scheme === 'bearer' && parse(req.headers.cookie ?? '')[ACCESS_TOKEN_COOKIE] === undefined
}
