import { authRoutes, TOTAL_COUNT_HEADER } from '@floe/contracts'
import { AppError } from '@floe/errors'
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

    implement(authRoutes.createUser, admin, async ({ req, res, body }, { user, tokenCaps }) => {
      if (tokenCaps && body.isAdmin) throw new AppError('token_forbidden')
      return presentUser(await users.create(body, causeOf(user, req, res)))
    }),

    implement(authRoutes.updateUser, admin, async ({ req, params, body }, { user, tokenCaps }) => {
      // Each of them would make the token into an account.
      const takesOver = [body.password, body.email, body.isAdmin].some((one) => one !== undefined)
      if (tokenCaps && takesOver) throw new AppError('token_forbidden')
      return presentUser(await users.update(params.id, body, actorOf(user, clientOf(req))))
    }),

    implement(authRoutes.deleteUser, admin, async ({ req, res, params }, { user }) => {
      const deleted = await users.delete(params.id, causeOf(user, req, res))
      if (deleted.id === user.id) clearSessionCookies(res)
      return presentUser(deleted)
    }),
  ]
}
