import type { Actor, AuthPort, Identity } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { accessToken } from '@floe/http'
import type { Request } from 'express'

type Asked = { req: Request }

/** Guards calls that need an account. */
export function requireUser(auth: Pick<AuthPort, 'identify'>): (asked: Asked) => Promise<Identity> {
  return async ({ req }) => {
    const identity = await auth.identify({ accessToken: accessToken(req) })
    if (!identity) throw new AppError('forbidden')
    return identity
  }
}

/** Guards calls that need an administrator; returns who calls. */
export function requireAdmin(auth: AuthPort): (asked: Asked) => Promise<Actor> {
  const authorize = requireUser(auth)
  return async (asked) => {
    const identity = await authorize(asked)
    if (!identity.isAdmin) throw new AppError('forbidden')
    return actorOf(identity, asked.req)
  }
}

export function actorOf({ userId, username }: Identity, req: Request): Actor {
  return {
    id: userId,
    name: username,
    address: req.ip ?? '',
    userAgent: req.get('user-agent') ?? '',
  }
}
