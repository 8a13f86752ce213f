import type { Identity } from '@floe/contracts'
import { accessToken } from '@floe/http'
import type { Request } from 'express'
import type { Ownership } from '../domain/ownership.ts'

type AuthorizeIdentity = (asked: { req: Request }) => Promise<Identity>

/** Guards calls that need a session. */
export function requireUser(ownership: Ownership): AuthorizeIdentity {
  return ({ req }) => ownership.requireUser(accessToken(req))
}

/** Guards calls that need an administrator. */
export function requireAdmin(ownership: Ownership): AuthorizeIdentity {
  return ({ req }) => ownership.requireAdmin(accessToken(req))
}
