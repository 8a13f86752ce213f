import type { IncomingMessage } from 'node:http'
import { parse } from 'cookie'
import type { CookieOptions, Response } from 'express'

/** Name → decoded value of the request's cookies (RFC 6265 §5.4); the first of equal names wins. */
export function parseCookies(req: Pick<IncomingMessage, 'headers'>): ReadonlyMap<string, string> {
  return new Map(Object.entries(parse(req.headers.cookie ?? '')))
}

/** HttpOnly and SameSite=Lax unless said otherwise; Secure on requests that came over TLS. */
export function setCookie(
  res: Response,
  name: string,
  value: string,
  options: Omit<CookieOptions, 'secure'> = {},
): void {
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
