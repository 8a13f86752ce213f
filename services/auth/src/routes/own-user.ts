import { type AdminPort, authRoutes } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { accessToken, implement, type ImplementedRoute } from '@floe/http'
import type { Accounts } from '../domain/accounts.ts'
import type { Sessions } from '../domain/sessions.ts'
import { presentOwnUser } from './present-user.ts'
import { requestId, requireSession } from './request.ts'
import { clearSessionCookies } from './session-cookies.ts'

export function createOwnUserRoutes({
  accounts,
  sessions,
  admin,
}: {
  accounts: Accounts
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
      return presentOwnUser(await accounts.updateUser(user.id, body))
    }),

    implement(authRoutes.deleteOwnUser, async ({ req, res }) => {
      const { user } = await requireSession(sessions, req)
      const deleted = await accounts.deleteUser(user.id, requestId(res))
      clearSessionCookies(res)
      return presentOwnUser(deleted)
    }),
  ]
}
