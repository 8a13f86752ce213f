import {
  ACCESS_TOKEN_COOKIE,
  ownerTokenCookie,
  type RequestCredentials,
  REVERSE_SHARE_COOKIE,
  shareTokenCookie,
} from '@floe/contracts'
import type { Request } from 'express'
import { parseCookies } from './cookies.ts'
import { tokenCredential } from './token-access.ts'

/** What the request brings that may open the share. */
export function requestCredentials(req: Request, shareId: string): RequestCredentials {
  const cookies = parseCookies(req)
  return {
    accessToken: accessToken(req),
    shareToken: cookies.get(shareTokenCookie(shareId)) ?? null,
    ownerToken: cookies.get(ownerTokenCookie(shareId)) ?? null,
    reverseShareToken: cookies.get(REVERSE_SHARE_COOKIE) ?? null,
    clientAddress: req.ip ?? '',
    userAgent: req.get('user-agent') ?? '',
  }
}

export function reverseShareToken(req: Request): string | null {
  return parseCookies(req).get(REVERSE_SHARE_COOKIE) ?? null
}

/** Of the session, or of the token that the request was let in by. */
export function accessToken(req: Request): string | null {
  return tokenCredential(req) ?? parseCookies(req).get(ACCESS_TOKEN_COOKIE) ?? null
}
