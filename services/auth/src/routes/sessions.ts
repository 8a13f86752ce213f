import { authRoutes } from '@floe/contracts'
import {
  accessToken,
  implement,
  type ImplementedRoute,
  implementPublic,
  plainAddress,
} from '@floe/http'
import type { Sessions } from '../domain/sessions.ts'
import type { SocialSignOuts } from '../domain/social-sign-outs.ts'
import { clientOf, requireSession } from './request.ts'
import { clearSessionCookies, refreshToken, setSessionCookies } from './session-cookies.ts'

export function createSessionRoutes({
  sessions,
  socialSignOuts,
}: {
  sessions: Sessions
  socialSignOuts: SocialSignOuts
}): ImplementedRoute[] {
  const signedIn = requireSession(sessions)
  return [
    implementPublic(authRoutes.signOut, async ({ req, res }) => {
      const held = { accessToken: accessToken(req), refreshToken: refreshToken(req) }
      const redirectURI = await socialSignOuts.departure(held.accessToken)
      await sessions.end(held)
      clearSessionCookies(res)
      if (redirectURI !== null) return { redirectURI }
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
