import type { IncomingMessage } from 'node:http'
import type { CookieOptions, Response } from 'express'

/** Name → decoded value of the request's cookies (RFC 6265 §5.4); the first of equal names wins. */
export function parseCookies(req: Pick<IncomingMessage, 'headers'>): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (req.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0) continue
    const name = pair.slice(0, equals).trim()
    if (name === '' || cookies.has(name)) continue
    cookies.set(name, decode(pair.slice(equals + 1).trim()))
  }
  return cookies
}

function decode(value: string): string {
  const unquoted = value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
  try {
    return decodeURIComponent(unquoted)
  } catch {
    // A stray % is somebody else's cookie; it must not fail the request.
    return unquoted
  }
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
