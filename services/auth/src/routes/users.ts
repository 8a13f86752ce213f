import { authRoutes, TOTAL_COUNT_HEADER } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import { actorOf } from '../domain/audit-events.ts'
import type { Sessions } from '../domain/sessions.ts'
import type { Users } from '../domain/users.ts'
import { presentUser } from './present-user.ts'
import { causeOf, clientOf, requireAdmin } from './request.ts'
import { clearSessionCookies } from './session-cookies.ts'

/** For administrators. */
export function createUserRoutes({
  users,
  sessions,
}: {
  users: Users
  sessions: Sessions
}): ImplementedRoute[] {
  const admin = requireAdmin(sessions)
  return [
    implement(authRoutes.listUsers, admin, async ({ res, query }) => {
      const { users: listed, total } = await users.list(query)
      res.set(TOTAL_COUNT_HEADER, String(total))
      return listed.map(presentUser)
    }),

    implement(authRoutes.createUser, admin, async ({ req, res, body }, { user }) => {
      return presentUser(await users.create(body, causeOf(user, req, res)))
    }),

    implement(authRoutes.updateUser, admin, async ({ req, params, body }, { user }) => {
      return presentUser(await users.update(params.id, body, actorOf(user, clientOf(req))))
    }),

    implement(authRoutes.deleteUser, admin, async ({ req, res, params }, { user }) => {
      const deleted = await users.delete(params.id, causeOf(user, req, res))
      if (deleted.id === user.id) clearSessionCookies(res)
      return presentUser(deleted)
    }),
  ]
}
