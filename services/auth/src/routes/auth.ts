import { authRoutes } from '@floe/contracts'
import { accessToken, implement, type ImplementedRoute } from '@floe/http'
import type { Accounts } from '../domain/accounts.ts'
import type { Sessions } from '../domain/sessions.ts'
import { presentUser } from './present-user.ts'
import { clientOf, requireSession } from './request.ts'
import { clearSessionCookies, refreshToken, setSessionCookies } from './session-cookies.ts'

export function createAuthRoutes({
  accounts,
  sessions,
}: {
  accounts: Accounts
  sessions: Sessions
}): ImplementedRoute[] {
  return [
    implement(authRoutes.signUp, async ({ req, res, body }) => {
      const { user, ...tokens } = await accounts.signUp(body, clientOf(req))
      setSessionCookies(res, tokens)
      return { ...tokens, user: presentUser(user) }
    }),

    implement(authRoutes.signIn, async ({ req, res, body }) => {
      const tokens = await accounts.signIn(body, clientOf(req))
      setSessionCookies(res, tokens)
      return tokens
    }),

    implement(authRoutes.signOut, async ({ req, res }) => {
      await sessions.end({ accessToken: accessToken(req), refreshToken: refreshToken(req) })
      clearSessionCookies(res)
    }),

    implement(authRoutes.renewToken, async ({ req, res }) => {
      const tokens = await sessions.renew(refreshToken(req))
      setSessionCookies(res, tokens)
      return { accessToken: tokens.accessToken }
    }),

    implement(authRoutes.changePassword, async ({ req, res, body }) => {
      const session = await requireSession(sessions, req)
      const tokens = await accounts.changePassword(session, body)
      setSessionCookies(res, tokens)
      return { refreshToken: tokens.refreshToken }
    }),
  ]
}
