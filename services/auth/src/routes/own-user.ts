import { type AdminPort, authRoutes } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { accessToken, implement, type ImplementedRoute } from '@floe/http'
import { actorOf } from '../domain/acts.ts'
import type { Sessions } from '../domain/sessions.ts'
import type { Users } from '../domain/users.ts'
import { presentOwnUser } from './present-user.ts'
import { causeOf, clientOf, requireSession } from './request.ts'
import { clearSessionCookies } from './session-cookies.ts'

export function createOwnUserRoutes({
  users,
  sessions,
  admin,
}: {
  users: Users
  sessions: Sessions
  admin: AdminPort
}): ImplementedRoute[] {
  return [
    implement(authRoutes.getOwnUser, async ({ req }) => {
      const session = await sessions.identify(accessToken(req))
      if (session) return presentOwnUser(session.user)
      const { 'share.allowUnauthenticatedShares': allowsVisitors } = await admin.settings({})
      if (!allowsVisitors) throw new AppError('forbidden')
    }),

    implement(authRoutes.updateOwnUser, async ({ req, body }) => {
      const { user } = await requireSession(sessions, req)
      return presentOwnUser(await users.updateOwn(user.id, body, actorOf(user, clientOf(req))))
    }),

    implement(authRoutes.deleteOwnUser, async ({ req, res }) => {
      const { user } = await requireSession(sessions, req)
      const deleted = await users.deleteOwn(user.id, causeOf(user, req, res))
      clearSessionCookies(res)
      return presentOwnUser(deleted)
    }),
  ]
}
