import { reverseShareRoutes } from '@floe/contracts'
import { accessToken, implement, type ImplementedRoute, requestLanguage } from '@floe/http'
import type { Attempts } from '../domain/attempts.ts'
import type { Entrances } from '../domain/entrances.ts'
import type { Ownership } from '../domain/ownership.ts'
import type { ReverseShares } from '../domain/reverse-shares.ts'
import { presentEntrance, presentReverseShare } from './present.ts'
import { readAccess, setAccessCookie } from './share-cookies.ts'

export interface ReverseShareRoutesDeps {
  reverseShares: ReverseShares
  entrances: Entrances
  ownership: Ownership
  attempts: Attempts
}

export function createReverseShareRoutes(deps: ReverseShareRoutesDeps): ImplementedRoute[] {
  return [...createOwnerRoutes(deps), ...createSenderRoutes(deps)]
}

function createOwnerRoutes(deps: ReverseShareRoutesDeps): ImplementedRoute[] {
  const { reverseShares, ownership, attempts } = deps
  return [
    implement(reverseShareRoutes.createReverseShare, ({ req, body }) =>
      reverseShares.create(body, {
        accessToken: accessToken(req),
        language: requestLanguage(req),
      }),
    ),
    implement(reverseShareRoutes.listOwnReverseShares, async ({ req }) => {
      const own = await reverseShares.listOwn(accessToken(req))
      return own.map(presentReverseShare)
    }),
    implement(reverseShareRoutes.updateReverseShare, async ({ req, params: { id }, body }) =>
      presentReverseShare(await reverseShares.update(id, body, accessToken(req))),
    ),
    implement(reverseShareRoutes.deleteReverseShare, ({ req, params: { id } }) =>
      reverseShares.delete(id, accessToken(req)),
    ),
    implement(
      reverseShareRoutes.isReverseShareTokenAvailable,
      async ({ req, res, params: { token } }) => {
        await ownership.requireUser(accessToken(req))
        res.set(await attempts.count('tokenCheck', req.ip ?? ''))
        return { isAvailable: await reverseShares.isTokenAvailable(token) }
      },
    ),
  ]
}

function createSenderRoutes({ entrances }: ReverseShareRoutesDeps): ImplementedRoute[] {
  return [
    implement(reverseShareRoutes.getReverseShare, async ({ req, params: { id: token } }) => {
      const reverseShare = await entrances.find(token, req.ip ?? '')
      return presentEntrance(
        reverseShare,
        await entrances.isUnlocked(reverseShare, readAccess(req)),
      )
    }),
    implement(reverseShareRoutes.unlockReverseShare, async ({ req, res, params, body }) => {
      const { token } = params
      const attempt = { password: body.password, clientAddress: req.ip ?? '' }
      const { access, headers } = await entrances.unlock(token, attempt)
      res.set(headers)
      if (access !== null) setAccessCookie(req, res, { token, access })
    }),
  ]
}
