import { ACCESS_TOKEN_COOKIE, REFRESH_TOKEN_COOKIE, REFRESH_TOKEN_PATH } from '@floe/contracts'
import { clearCookie, parseCookies, setCookie } from '@floe/http'
import type { Request, Response } from 'express'
import { DEVICE_TTL_MS } from '../domain/devices.ts'
import type { SessionTokens } from '../domain/sessions.ts'
import type { SignedIn } from '../domain/sign-in.ts'

const DEVICE_COOKIE = 'device'
const DEVICE_PATH = '/api/auth'

/** What the body of a response tells of tokens, beside their cookies. */
type ToldTokens = Pick<SessionTokens, 'accessToken' | 'refreshToken'>

/** The access cookie outlives its token, so that the page knows there is a session to renew. */
export function setSessionCookies(
  res: Response,
  { accessToken, refreshToken, expiresInMs: maxAge }: SessionTokens,
): ToldTokens {
  setCookie(res, ACCESS_TOKEN_COOKIE, accessToken, { maxAge })
  setCookie(res, REFRESH_TOKEN_COOKIE, refreshToken, {
    maxAge,
    path: REFRESH_TOKEN_PATH,
    sameSite: 'strict',
  })
  return { accessToken, refreshToken }
}

export function setSignInCookies(res: Response, { tokens, deviceToken }: SignedIn): ToldTokens {
  const told = setSessionCookies(res, tokens)
  setCookie(res, DEVICE_COOKIE, deviceToken, { maxAge: DEVICE_TTL_MS, path: DEVICE_PATH })
  return told
}

/** The device stays known: it tells who may try again, and opens nothing. */
export function clearSessionCookies(res: Response): void {
  clearCookie(res, ACCESS_TOKEN_COOKIE)
  clearCookie(res, REFRESH_TOKEN_COOKIE, REFRESH_TOKEN_PATH)
}

export function refreshToken(req: Request): string | null {
  return parseCookies(req).get(REFRESH_TOKEN_COOKIE) ?? null
}

export function deviceToken(req: Request): string | null {
  return parseCookies(req).get(DEVICE_COOKIE) ?? null
}
