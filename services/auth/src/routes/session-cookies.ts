import { ACCESS_TOKEN_COOKIE, REFRESH_TOKEN_COOKIE, REFRESH_TOKEN_PATH } from '@floe/contracts'
import { clearCookie, parseCookies, setCookie } from '@floe/http'
import type { Request, Response } from 'express'
import { DEVICE_TTL_MS } from '../domain/devices.ts'
import { SESSION_TTL_MS, type SessionTokens } from '../domain/sessions.ts'
import type { SignedIn } from '../domain/sign-in.ts'

const DEVICE_COOKIE = 'device'
const DEVICE_PATH = '/api/auth'

/** The access cookie outlives its token, so that the page knows there is a session to renew. */
export function setSessionCookies(res: Response, tokens: SessionTokens): void {
  setCookie(res, ACCESS_TOKEN_COOKIE, tokens.accessToken, { maxAge: SESSION_TTL_MS })
  setCookie(res, REFRESH_TOKEN_COOKIE, tokens.refreshToken, {
    maxAge: SESSION_TTL_MS,
    path: REFRESH_TOKEN_PATH,
    sameSite: 'strict',
  })
}

export function setSignInCookies(res: Response, { tokens, deviceToken }: SignedIn): void {
  setSessionCookies(res, tokens)
  setCookie(res, DEVICE_COOKIE, deviceToken, { maxAge: DEVICE_TTL_MS, path: DEVICE_PATH })
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
