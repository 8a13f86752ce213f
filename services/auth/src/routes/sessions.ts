import { authRoutes } from '@floe/contracts'
import { accessToken, implement, type ImplementedRoute } from '@floe/http'
import type { Sessions } from '../domain/sessions.ts'
import { clientOf, requireSession } from './request.ts'
import { clearSessionCookies, refreshToken, setSessionCookies } from './session-cookies.ts'

export function createSessionRoutes({ sessions }: { sessions: Sessions }): ImplementedRoute[] {
  return [
    implement(authRoutes.signOut, async ({ req, res }) => {
      await sessions.end({ accessToken: accessToken(req), refreshToken: refreshToken(req) })
      clearSessionCookies(res)
    }),

    implement(authRoutes.renewToken, async ({ req, res }) => {
      const tokens = await sessions.renew(refreshToken(req), clientOf(req))
      setSessionCookies(res, tokens)
      return { accessToken: tokens.accessToken }
    }),

    implement(authRoutes.listSessions, async ({ req }) => {
      const { sessionId, user } = await requireSession(sessions, req)
      const list = await sessions.list(user.id)
      return list.map(({ createdAt, lastUsedAt, ...session }) => ({
        ...session,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        isCurrent: session.id === sessionId,
      }))
    }),

    implement(authRoutes.endSession, async ({ req, res, params }) => {
      const { sessionId, user } = await requireSession(sessions, req)
      await sessions.endOwn(user, params.sessionId, clientOf(req))
      if (params.sessionId === sessionId) clearSessionCookies(res)
    }),

    implement(authRoutes.endSessions, async ({ req, res }) => {
      const { user } = await requireSession(sessions, req)
      await sessions.endAll(user, clientOf(req))
      clearSessionCookies(res)
    }),
  ]
}
