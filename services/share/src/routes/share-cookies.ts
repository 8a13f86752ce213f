import { ownerTokenCookie, shareTokenCookie } from '@floe/contracts'
import { clearCookie, parseCookies, setCookie } from '@floe/http'
import type { Request, Response } from 'express'
import { readIssuedAt } from '../domain/visit-tokens.ts'

/** More visit cookies than this would in time exceed the header size servers accept. */
export const MAX_VISIT_COOKIES = 10

const ownerCookieMs = 30 * 24 * 3_600_000
const visitCookieName = /^share_(?!.*_owner_token$)[A-Za-z0-9_-]{1,100}_token$/

/** Long enough to finish an upload after the browser was restarted. */
export function setOwnerCookie(res: Response, shareId: string, token: string): void {
  setCookie(res, ownerTokenCookie(shareId), token, { maxAge: ownerCookieMs })
}

/** A session cookie; the oldest of too many others make room for it. */
export function setVisitCookie(req: Request, res: Response, shareId: string, token: string): void {
  const name = shareTokenCookie(shareId)
  for (const old of listSurplus(parseCookies(req), name)) clearCookie(res, old)
  setCookie(res, name, token)
}

/** Names of the visit cookies that are too many beside the one called `kept`, oldest first. */
export function listSurplus(cookies: ReadonlyMap<string, string>, kept: string): string[] {
  const others = [...cookies]
    .filter(([name]) => name !== kept && visitCookieName.test(name))
    .map(([name, token]) => ({ name, issuedAt: readIssuedAt(token) }))
    .sort((a, b) => a.issuedAt - b.issuedAt)
  return others.slice(0, Math.max(0, others.length + 1 - MAX_VISIT_COOKIES)).map(({ name }) => name)
}
