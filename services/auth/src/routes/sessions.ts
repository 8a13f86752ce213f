import { authRoutes } from '@floe/contracts'
import {
  accessToken,
  implement,
  type ImplementedRoute,
  implementPublic,
  plainAddress,
} from '@floe/http'
import type { Sessions } from '../domain/sessions.ts'
import { clientOf, requireSession } from './request.ts'
import { clearSessionCookies, refreshToken, setSessionCookies } from './session-cookies.ts'

export function createSessionRoutes({ sessions }: { sessions: Sessions }): ImplementedRoute[] {
  const signedIn = requireSession(sessions)
  return [
    implementPublic(authRoutes.signOut, async ({ req, res }) => {
      await sessions.end({ accessToken: accessToken(req), refreshToken: refreshToken(req) })
      clearSessionCookies(res)
    }),

    implementPublic(authRoutes.renewToken, async ({ req, res }) => {
      const tokens = await sessions.renew(refreshToken(req), clientOf(req))
      setSessionCookies(res, tokens)
      return { accessToken: tokens.accessToken }
    }),

    implement(authRoutes.listSessions, signedIn, async (_call, { sessionId, user }) => {
      const list = await sessions.list(user.id)
      return list.map(({ clientAddress, createdAt, lastUsedAt, ...session }) => ({
        ...session,
        // Some were recorded as a socket for both families calls them.
        clientAddress: plainAddress(clientAddress),
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        isCurrent: session.id === sessionId,
      }))
    }),

    implement(
      authRoutes.endSession,
      signedIn,
      async ({ req, res, params }, { sessionId, user }) => {
        await sessions.endOwn(user, params.sessionId, clientOf(req))
        if (params.sessionId === sessionId) clearSessionCookies(res)
      },
    ),

    implement(authRoutes.endSessions, signedIn, async ({ req, res }, { user }) => {
      await sessions.endAll(user, clientOf(req))
      clearSessionCookies(res)
    }),
  ]
}
