import { REQUEST_ID_HEADER } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { accessToken, requestLanguage } from '@floe/http'
import type { Request, Response } from 'express'
import { actorOf } from '../domain/audit-events.ts'
import type { Sessions } from '../domain/sessions.ts'
import type { ActiveSession, Client, User } from '../domain/user.ts'
import type { Cause } from '../domain/users.ts'
import { deviceToken } from './session-cookies.ts'

type AuthorizeSession = (asked: { req: Request }) => Promise<ActiveSession>

/** Guards calls that need a session. Fails with forbidden, second_factor_required. */
export function requireSession(sessions: Sessions): AuthorizeSession {
  const authorizeAny = requireAnySession(sessions)
  return async (asked) => {
    const session = await sessions.identify(accessToken(asked.req))
    if (session) return session
    await authorizeAny(asked)
    throw new AppError('second_factor_required')
  }
}

/** Guards what somebody may do who has to set up a second factor first. Fails with forbidden. */
export function requireAnySession(sessions: Sessions): AuthorizeSession {
  return async ({ req }) => {
    const session = await sessions.identifyAny(accessToken(req))
    if (!session) throw new AppError('forbidden')
    return session
  }
}

/** Guards calls that need an administrator. */
export function requireAdmin(sessions: Sessions): AuthorizeSession {
  const authorize = requireSession(sessions)
  return async (asked) => {
    const session = await authorize(asked)
    if (!session.user.isAdmin) throw new AppError('forbidden')
    return session
  }
}

export function clientOf(req: Request): Client {
  return {
    address: req.ip ?? '',
    userAgent: req.get('user-agent') ?? '',
    deviceToken: deviceToken(req),
  }
}

/** Whose request it is, for what it changes. */
export function causeOf(user: User, req: Request, res: Response): Cause {
  return {
    actor: actorOf(user, clientOf(req)),
    requestId: requestId(res),
    language: requestLanguage(req),
  }
}

export function requestId(res: Response): string | null {
  const id = res.getHeader(REQUEST_ID_HEADER)
  return typeof id === 'string' ? id : null
}
