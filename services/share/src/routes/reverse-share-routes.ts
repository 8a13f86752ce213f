import { reverseShareRoutes } from '@floe/contracts'
import {
  accessToken,
  implement,
  type ImplementedRoute,
  implementPublic,
  rateLimitHeaders,
  requestLanguage,
} from '@floe/http'
import type { Request } from 'express'
import type { Attempts } from '../domain/attempts.ts'
import type { Entrances } from '../domain/entrances.ts'
import type { Ownership } from '../domain/ownership.ts'
import type { ReverseShares } from '../domain/reverse-shares.ts'
import type { ShareSizes } from '../domain/share-sizes.ts'
import { presentEntrance, presentReverseShare } from './present.ts'
import { requireUser } from './request.ts'
import { readAccess, setAccessCookie } from './share-cookies.ts'

export interface ReverseShareRoutesDeps {
  reverseShares: ReverseShares
  entrances: Entrances
  ownership: Ownership
  attempts: Attempts
  sizes: ShareSizes
}

export function createReverseShareRoutes(deps: ReverseShareRoutesDeps): ImplementedRoute[] {
  return [...createOwnerRoutes(deps), ...createSenderRoutes(deps)]
}

function createOwnerRoutes(deps: ReverseShareRoutesDeps): ImplementedRoute[] {
  const { reverseShares, ownership, attempts } = deps
  const signedIn = requireUser(ownership)
  const requireOwn = ({ req, params }: { req: Request; params: { id: string } }) =>
    reverseShares.requireOwn(params.id, accessToken(req))
  return [
    implement(
      reverseShareRoutes.createReverseShare,
      ({ req }) => reverseShares.requireCreator(accessToken(req)),
      ({ req, body }, owner) =>
        reverseShares.create(body, { owner, language: requestLanguage(req) }),
    ),
    implement(reverseShareRoutes.listOwnReverseShares, signedIn, async (_call, owner) => {
      const own = await reverseShares.listOwn(owner)
      return own.map(presentReverseShare)
    }),
    implement(reverseShareRoutes.updateReverseShare, requireOwn, async ({ body }, own) =>
      presentReverseShare(await reverseShares.update(own, body)),
    ),
    implement(reverseShareRoutes.deleteReverseShare, requireOwn, (_call, own) =>
      reverseShares.delete(own),
    ),
    implement(
      reverseShareRoutes.isReverseShareTokenAvailable,
      signedIn,
      async ({ req, res, params: { token } }) => {
        res.set(rateLimitHeaders(await attempts.count('tokenCheck', req.ip ?? '')))
        return { isAvailable: await reverseShares.isTokenAvailable(token) }
      },
    ),
  ]
}

function createSenderRoutes({ entrances, sizes }: ReverseShareRoutesDeps): ImplementedRoute[] {
  return [
    implementPublic(reverseShareRoutes.getReverseShare, async ({ req, params: { id: token } }) => {
      const reverseShare = await entrances.find(token, req.ip ?? '')
      // The owner's own limit may be smaller by now.
      const maxSizeBytes = await sizes.ofReverseShare(reverseShare)
      return presentEntrance(
        { ...reverseShare, maxSizeBytes },
        await entrances.isUnlocked(reverseShare, readAccess(req)),
      )
    }),
    implementPublic(reverseShareRoutes.unlockReverseShare, async ({ req, res, params, body }) => {
      const { token } = params
      const attempt = { password: body.password, clientAddress: req.ip ?? '' }
      const { access, rateLimit } = await entrances.unlock(token, attempt)
      if (rateLimit) res.set(rateLimitHeaders(rateLimit))
      if (access !== null) setAccessCookie(req, res, { token, access })
    }),
  ]
}
