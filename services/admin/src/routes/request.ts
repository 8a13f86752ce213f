import type { Actor, AuthPort } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { accessToken } from '@floe/http'
import type { Request } from 'express'

/** Guards calls that need an administrator; returns who calls. */
export function requireAdmin(auth: AuthPort): (asked: { req: Request }) => Promise<Actor> {
  return async ({ req }) => {
    const identity = await auth.identify({ accessToken: accessToken(req) })
    if (!identity?.isAdmin) throw new AppError('forbidden')
    return {
      id: identity.userId,
      name: identity.username,
      address: req.ip ?? '',
      userAgent: req.get('user-agent') ?? '',
    }
  }
}
