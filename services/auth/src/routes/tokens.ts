import { type ApiToken, tokenRoutes } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { implement, type ImplementedRoute, plainAddress } from '@floe/http'
import type { ApiTokens } from '../domain/api-tokens.ts'
import type { TokenSummary } from '../domain/ports.ts'
import type { Sessions } from '../domain/sessions.ts'
import { clientOf, requireSession } from './request.ts'

export function createTokenRoutes({
  apiTokens,
  sessions,
}: {
  apiTokens: ApiTokens
  sessions: Sessions
}): ImplementedRoute[] {
  const signedIn = requireSession(sessions)
  return [
    implement(tokenRoutes.createToken, signedIn, async ({ req, body }, { user }) => {
      const { token, summary } = await apiTokens.create(user, body, clientOf(req))
      return { ...present(summary), token }
    }),

    implement(tokenRoutes.listTokens, signedIn, async ({ query }, { user }) => {
      const userId = query.userId ?? user.id
      if (userId !== user.id && !user.isAdmin) throw new AppError('forbidden')
      return (await apiTokens.list(userId)).map(present)
    }),

    implement(tokenRoutes.revokeToken, signedIn, async ({ req, params }, { user }) => {
      await apiTokens.revoke(user, params.id, clientOf(req))
    }),
  ]
}

function present({
  maxShareBytes,
  createdAt,
  expiresAt,
  lastUse,
  ...summary
}: TokenSummary): ApiToken {
  return {
    ...summary,
    maxShareSize: maxShareBytes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUse: lastUse && {
      ...lastUse,
      at: lastUse.at.toISOString(),
      address: plainAddress(lastUse.address),
    },
  }
}
