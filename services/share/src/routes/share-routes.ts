import { shareRoutes } from '@floe/contracts'
import { accessToken, implement, type ImplementedRoute, requestCredentials } from '@floe/http'
import type { Attempts } from '../domain/attempts.ts'
import type { Editing } from '../domain/editing.ts'
import type { Listing } from '../domain/listing.ts'
import type { Visits } from '../domain/visits.ts'
import { presentOwnShare, presentReceipt, presentShare, presentSummary } from './present.ts'
import { setOwnerCookie, setVisitCookie } from './share-cookies.ts'

export interface ShareRoutesDeps {
  editing: Editing
  listing: Listing
  visits: Visits
  attempts: Attempts
}

export function createShareRoutes(deps: ShareRoutesDeps): ImplementedRoute[] {
  return [...createOwnerRoutes(deps), ...createListRoutes(deps), ...createVisitorRoutes(deps)]
}

function createOwnerRoutes({ editing, listing }: ShareRoutesDeps): ImplementedRoute[] {
  return [
    implement(shareRoutes.createShare, async ({ req, res, body }) => {
      const { share, ownerToken } = await editing.createShare(body, accessToken(req))
      if (ownerToken !== null) setOwnerCookie(res, share.id, ownerToken)
      return presentReceipt(share)
    }),
    implement(shareRoutes.completeShare, async ({ req, params: { id } }) =>
      presentReceipt(await editing.completeShare(id, requestCredentials(req, id))),
    ),
    implement(shareRoutes.reopenShare, async ({ req, params: { id } }) =>
      presentReceipt(await editing.reopenShare(id, requestCredentials(req, id))),
    ),
    implement(shareRoutes.updateShare, async ({ req, params: { id }, body }) => {
      const share = await editing.updateShare(id, body, requestCredentials(req, id))
      return presentOwnShare(await listing.describeOwnShare(share))
    }),
    implement(shareRoutes.deleteShare, ({ req, params: { id } }) =>
      editing.deleteShare(id, requestCredentials(req, id)),
    ),
    implement(shareRoutes.getShareAsOwner, async ({ req, params: { id } }) =>
      presentOwnShare(await listing.readShareAsOwner(id, requestCredentials(req, id))),
    ),
  ]
}

function createListRoutes({ editing, listing, attempts }: ShareRoutesDeps): ImplementedRoute[] {
  return [
    implement(shareRoutes.listOwnShares, async ({ req }) => {
      const shares = await listing.listOwnShares(accessToken(req))
      return shares.map(presentOwnShare)
    }),
    implement(shareRoutes.listAllShares, async ({ req }) => {
      const shares = await listing.listAllShares(accessToken(req))
      return shares.map(presentSummary)
    }),
    implement(shareRoutes.isShareIdAvailable, async ({ req, res, params: { id } }) => {
      res.set(await attempts.countIdCheck(requestCredentials(req, id).clientAddress))
      return { isAvailable: await editing.isShareIdAvailable(id) }
    }),
  ]
}

function createVisitorRoutes({ listing, visits }: ShareRoutesDeps): ImplementedRoute[] {
  return [
    implement(shareRoutes.getShare, async ({ req, params: { id } }) =>
      presentShare(await listing.readShare(id, requestCredentials(req, id).shareToken)),
    ),
    implement(shareRoutes.getShareMetaData, async ({ req, params: { id } }) => {
      const { shareToken } = requestCredentials(req, id)
      const { isReady, ...rest } = await listing.archiveStatus(id, shareToken)
      return { id, isZipReady: isReady, ...rest }
    }),
    implement(shareRoutes.openShare, async ({ req, res, params: { id }, body }) => {
      const { clientAddress } = requestCredentials(req, id)
      const { password } = body
      const { token, headers } = await visits.openShare(id, { password, clientAddress })
      res.set(headers)
      setVisitCookie(req, res, id, token)
      return { token }
    }),
  ]
}
