import type { Actor, AuthPort } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { accessToken } from '@floe/http'
import type { Request } from 'express'

/** The administrator whose request it is; fails with forbidden. */
export async function requireAdmin(auth: AuthPort, req: Request): Promise<Actor> {
  const identity = await auth.identify({ accessToken: accessToken(req) })
  if (!identity?.isAdmin) throw new AppError('forbidden')
  return {
    id: identity.userId,
    name: identity.username,
    address: req.ip ?? '',
    userAgent: req.get('user-agent') ?? '',
  }
}
