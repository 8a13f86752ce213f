import {
  type ErrorCode,
  type RequestCredentials,
  shareIdSchema,
  sharePagePath,
  shareRoutes,
  TOTAL_COUNT_HEADER,
} from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import {
  accessToken,
  implement,
  type ImplementedRoute,
  requestCredentials,
  requestLanguage,
} from '@floe/http'
import type { Activity } from '../domain/activity.ts'
import type { Attempts } from '../domain/attempts.ts'
import type { Editing } from '../domain/editing.ts'
import type { Listing } from '../domain/listing.ts'
import type { NewShares } from '../domain/new-shares.ts'
import type { Visits } from '../domain/visits.ts'
import {
  presentActivity,
  presentCompleted,
  presentOwnShare,
  presentReceipt,
  presentShare,
  presentSummary,
} from './present.ts'
import { readAccess, setOwnerCookie, setVisitCookie } from './share-cookies.ts'

export interface ShareRoutesDeps {
  newShares: NewShares
  editing: Editing
  listing: Listing
  activity: Activity
  visits: Visits
  attempts: Attempts
}

export function createShareRoutes(deps: ShareRoutesDeps): ImplementedRoute[] {
  return [...createOwnerRoutes(deps), ...createListRoutes(deps), ...createVisitorRoutes(deps)]
}

function createOwnerRoutes({ newShares, editing, listing }: ShareRoutesDeps): ImplementedRoute[] {
  return [
    implement(shareRoutes.createShare, async ({ req, res, body }) => {
      const maker = {
        ...requestCredentials(req, body.id),
        reverseShareAccess: readAccess(req),
        language: requestLanguage(req),
      }
      const { share, ownerToken } = await newShares.createShare(body, maker)
      if (ownerToken !== null) setOwnerCookie(res, share.id, ownerToken)
      return presentReceipt(share)
    }),
    implement(shareRoutes.completeShare, async ({ req, params: { id } }) =>
      presentCompleted(await editing.completeShare(id, requestCredentials(req, id))),
    ),
    implement(shareRoutes.reopenShare, async ({ req, params: { id } }) =>
      presentReceipt(await editing.reopenShare(id, requestCredentials(req, id))),
    ),
    implement(shareRoutes.discardEdit, async ({ req, params: { id } }) =>
      presentReceipt(await editing.discardEdit(id, requestCredentials(req, id))),
    ),
    implement(shareRoutes.updateShare, async ({ req, params: { id }, body }) => {
      const caller = requestCredentials(req, id)
      const share = await editing.updateShare(id, body, caller)
      return presentOwnShare(await listing.describeChangedShare(share, caller))
    }),
    implement(shareRoutes.deleteShare, ({ req, params: { id } }) =>
      editing.deleteShare(id, requestCredentials(req, id)),
    ),
    implement(shareRoutes.getShareAsOwner, async ({ req, params: { id } }) =>
      presentOwnShare(await listing.readShareAsOwner(id, requestCredentials(req, id))),
    ),
  ]
}

function createListRoutes(deps: ShareRoutesDeps): ImplementedRoute[] {
  const { newShares, listing, activity, attempts } = deps
  return [
    implement(shareRoutes.getShareActivity, async ({ req, params: { id }, query: { file } }) => {
      const caller = requestCredentials(req, id)
      return presentActivity(await activity.readActivity(id, { caller, only: file ?? null }))
    }),
    implement(shareRoutes.listOwnShares, async ({ req }) => {
      const shares = await listing.listOwnShares(accessToken(req))
      return shares.map(presentOwnShare)
    }),
    implement(shareRoutes.listAllShares, async ({ req, res, query }) => {
      const { shares, total } = await listing.listAllShares(query, accessToken(req))
      res.set(TOTAL_COUNT_HEADER, String(total))
      return shares.map(presentSummary)
    }),
    implement(shareRoutes.isShareIdAvailable, async ({ req, res, params: { id } }) => {
      res.set(await attempts.count('idCheck', req.ip ?? ''))
      return { isAvailable: await newShares.isShareIdAvailable(id) }
    }),
  ]
}

function createVisitorRoutes({ listing, visits }: ShareRoutesDeps): ImplementedRoute[] {
  return [
    implement(shareRoutes.getShare, async ({ req, params: { id } }) =>
      presentShare(await listing.readShare(id, requestCredentials(req, id))),
    ),
    implement(shareRoutes.getShareMetaData, async ({ req, params: { id } }) => {
      const { isReady, ...rest } = await listing.archiveStatus(id, requestCredentials(req, id))
      return { id, isZipReady: isReady, ...rest }
    }),
    implement(shareRoutes.openShare, async ({ req, res, params: { id }, body }) => {
      const credentials = requestCredentials(req, id)
      const { password } = body
      const { token, headers } = await visits.openShare(id, { password, credentials })
      res.set(headers)
      setVisitCookie(req, res, id, token)
      return { token }
    }),
    implement(shareRoutes.openShareByForm, async ({ req, res, params, body }) => {
      // What leads somewhere has to be a share's link, whether there is one or not.
      const { success, data: id } = shareIdSchema.safeParse(params.id)
      if (!success) throw new AppError('share_not_found')
      const entry = { password: body.password, credentials: requestCredentials(req, id) }
      const refusal = await codeOfRefusal(async () => {
        if (await holdsVisit(visits, id, entry.credentials)) return
        setVisitCookie(req, res, id, (await visits.openShare(id, entry)).token)
      })
      res.location(sharePagePath(id, refusal))
    }),
  ]
}

/** The page opens a share once as well: coming back and sending the form again is no new view. */
async function holdsVisit(
  visits: Visits,
  id: string,
  credentials: RequestCredentials,
): Promise<boolean> {
  const refusal = await codeOfRefusal(() => visits.requireVisit(id, credentials))
  return refusal === null
}

async function codeOfRefusal(run: () => Promise<unknown>): Promise<ErrorCode | null> {
  try {
    await run()
    return null
  } catch (error) {
    if (isAppError(error) && error.status < 500) return error.code
    throw error
  }
}
