import type { IncomingMessage } from 'node:http'
import { API_TOKEN_PREFIX } from '@floe/contracts'
import { parse } from 'cookie'
import type { CookieOptions, Response } from 'express'
import { apiToken } from './token-access.ts'

/**
 * Name → decoded value of the request's cookies (RFC 6265 §5.4); the first of equal names wins. An
 * API token is none: it would go around the scope of the route.
 */
export function parseCookies(req: Pick<IncomingMessage, 'headers'>): ReadonlyMap<string, string> {
  const cookies = Object.entries(parse(req.headers.cookie ?? ''))
  return new Map(cookies.filter(([, value]) => !value?.startsWith(API_TOKEN_PREFIX)))
}

/**
 * HttpOnly and SameSite=Lax unless said otherwise; Secure on requests that came over TLS. None is
 * set for a request with an API token.
 */
export function setCookie(
  res: Response,
  name: string,
  value: string,
  options: Omit<CookieOptions, 'secure'> = {},
): void {
  if (apiToken(res.req) !== null) return
  res.cookie(name, value, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: res.req.secure,
    ...options,
  })
}

export function clearCookie(res: Response, name: string, path = '/'): void {
  res.clearCookie(name, { httpOnly: true, sameSite: 'lax', path, secure: res.req.secure })
}
