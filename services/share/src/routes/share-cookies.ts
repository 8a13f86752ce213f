import { ownerTokenCookie, reverseShareAccessCookie, shareTokenCookie } from '@floe/contracts'
import { clearCookie, parseCookies, setCookie } from '@floe/http'
import type { Request, Response } from 'express'
import type { AccessOf } from '../domain/entrances.ts'
import { readIssuedAt } from '../domain/visit-tokens.ts'

/** More visit cookies than this would in time exceed the header size servers accept. */
export const MAX_VISIT_COOKIES = 10

const ownerCookieMs = 30 * 24 * 3_600_000
const accessCookieName = /^reverse_share_[A-Za-z0-9_-]{1,100}_access$/
const visitCookieName = /^share_(?!.*_owner_token$)[A-Za-z0-9_-]{1,100}_token$/

/** Long enough to finish an upload after the browser was restarted. */
export function setOwnerCookie(res: Response, shareId: string, token: string): void {
  setCookie(res, ownerTokenCookie(shareId), token, { maxAge: ownerCookieMs })
}

/** The cookie's name carries the link of its share, which completing may have changed. */
export function moveOwnerCookie(res: Response, oldId: string, newId: string, token: string): void {
  if (oldId === newId) return
  clearCookie(res, ownerTokenCookie(oldId))
  setOwnerCookie(res, newId, token)
}

/** A session cookie; the oldest are dropped when there are too many. */
export function setVisitCookie(req: Request, res: Response, shareId: string, token: string): void {
  setSessionCookie(req, res, { name: shareTokenCookie(shareId), token, like: visitCookieName })
}

/** Like a visit's cookie: it proves that the password of a reverse share was given. */
export function setAccessCookie(req: Request, res: Response, reverse: AccessCookie): void {
  const name = reverseShareAccessCookie(reverse.token)
  setSessionCookie(req, res, { name, token: reverse.access, like: accessCookieName })
}

export interface AccessCookie {
  /** The reverse share's, the end of its link. */
  token: string
  access: string
}

export function readAccess(req: Request): AccessOf {
  const cookies = parseCookies(req)
  return (token) => cookies.get(reverseShareAccessCookie(token)) ?? null
}

interface SessionCookie {
  name: string
  token: string
  /** Which others count. */
  like: RegExp
}

function setSessionCookie(req: Request, res: Response, { name, token, like }: SessionCookie): void {
  for (const old of listSurplus(parseCookies(req), name, like)) clearCookie(res, old)
  setCookie(res, name, token)
}

/** Names of those that are too many beside the one called `kept`, oldest first. */
export function listSurplus(
  cookies: ReadonlyMap<string, string>,
  kept: string,
  like = visitCookieName,
): string[] {
  const others = [...cookies]
    .filter(([name]) => name !== kept && like.test(name))
    .map(([name, token]) => ({ name, issuedAt: readIssuedAt(token) }))
    .sort((a, b) => a.issuedAt - b.issuedAt)
  return others.slice(0, Math.max(0, others.length + 1 - MAX_VISIT_COOKIES)).map(({ name }) => name)
}
