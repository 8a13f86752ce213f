import {
  CODE_REQUESTED_PARAMETER,
  createShareSchema,
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
  implementPublic,
  rateLimitHeaders,
  requestCredentials,
  requestLanguage,
  reverseShareToken,
  statusOf,
} from '@floe/http'
import type { Request, Response } from 'express'
import type { AdminOpenings } from '../domain/admin-openings.ts'
import type { Activity } from '../domain/activity.ts'
import type { Attempts } from '../domain/attempts.ts'
import type { EarlyOpenings } from '../domain/early-openings.ts'
import type { Editing } from '../domain/editing.ts'
import type { Listing } from '../domain/listing.ts'
import type { NewShares } from '../domain/new-shares.ts'
import type { Ownership } from '../domain/ownership.ts'
import { grantWorkingRead } from '../domain/read-grant.ts'
import { judgeReader } from '../domain/readers.ts'
import type { RecipientCodes } from '../domain/recipient-codes.ts'
import type { Share } from '../domain/share.ts'
import type { ShareAccess } from '../domain/share-access.ts'
import type { Visits } from '../domain/visits.ts'
import {
  presentActivity,
  presentCompleted,
  presentOwnShare,
  presentReceipt,
  presentShare,
  presentSummary,
} from './present.ts'
import { requireAdmin, requireUser } from './request.ts'
import { moveOwnerCookie, readAccess, setOwnerCookie, setVisitCookie } from './share-cookies.ts'

export interface ShareRoutesDeps {
  newShares: NewShares
  access: ShareAccess
  editing: Editing
  earlyOpenings: EarlyOpenings
  listing: Listing
  activity: Activity
  visits: Visits
  codes: RecipientCodes
  adminOpenings: AdminOpenings
  ownership: Ownership
  attempts: Attempts
}

/** The part of the body that may authorize a new share: read before the rest is checked. */
const namingSchema = createShareSchema.pick({ reverseShare: true })

export function createShareRoutes(deps: ShareRoutesDeps): ImplementedRoute[] {
  return [
    ...createOwnerRoutes(deps),
    ...createListRoutes(deps),
    ...createVisitorRoutes(deps),
    ...createCodeRoutes(deps),
  ]
}

function createOwnerRoutes(deps: ShareRoutesDeps): ImplementedRoute[] {
  const { newShares, access, editing, earlyOpenings, listing } = deps
  return [
    implement(
      shareRoutes.createShare,
      ({ req, readBody }) =>
        newShares.authorize(
          {
            accessToken: accessToken(req),
            reverseShareToken: reverseShareToken(req),
            reverseShareAccess: readAccess(req),
            clientAddress: req.ip ?? '',
            language: requestLanguage(req),
          },
          async () => namingSchema.safeParse(await readBody()).data?.reverseShare,
        ),
      async ({ res, body }, maker) => {
        const { share, ownerToken } = await newShares.createShare(body, maker)
        if (ownerToken !== null) setOwnerCookie(res, share.id, ownerToken)
        return presentReceipt(share)
      },
    ),
    implement(
      shareRoutes.completeShare,
      toShare(access.asMaker),
      async ({ req, res, body }, { share: found, standing }) => {
        const maker = standing.identity
        const completed = await editing.completeShare({ share: found, maker }, body)
        keepOwnerCookie(req, res, found, completed.share)
        return presentCompleted(completed)
      },
    ),
    implement(
      shareRoutes.openShareEarly,
      toShare(access.asMaker),
      async ({ req, res, body }, { share: found, standing }) => {
        const maker = standing.identity
        const share = await earlyOpenings.openShareEarly({ share: found, maker }, body)
        keepOwnerCookie(req, res, found, share)
        return presentReceipt(share)
      },
    ),
    implement(shareRoutes.reopenShare, toShare(access.asOwner), async (_call, share) =>
      presentReceipt(await editing.reopenShare(share)),
    ),
    implement(shareRoutes.discardEdit, toShare(access.asOwner), async (_call, share) =>
      presentReceipt(await editing.discardEdit(share)),
    ),
    implement(shareRoutes.updateShare, toShare(access.toChange), async ({ body }, held) => {
      const { standing } = held
      const share = await editing.updateShare(held, body)
      const seen = { share, standing, grant: grantWorkingRead(share) }
      return presentOwnShare(await listing.readShareAsOwner(seen))
    }),
    implement(shareRoutes.deleteShare, toShare(access.toDelete), (_call, held) =>
      editing.deleteShare(held),
    ),
    implement(shareRoutes.getShareAsOwner, toShare(access.toOversee), async (_call, seen) =>
      presentOwnShare(await listing.readShareAsOwner(seen)),
    ),
  ]
}

/** The share may have another link than it was found by. */
function keepOwnerCookie(req: Request, res: Response, found: Share, { id }: Share): void {
  const { ownerToken } = requestCredentials(req, found.id)
  if (ownerToken !== null) moveOwnerCookie(res, found.id, id, ownerToken)
}

function createListRoutes(deps: ShareRoutesDeps): ImplementedRoute[] {
  const { newShares, access, listing, activity, ownership, attempts } = deps
  return [
    implement(
      shareRoutes.getShareActivity,
      toShare(access.toOversee),
      async ({ query: { file } }, seen) =>
        presentActivity(await activity.readActivity(seen, file ?? null)),
    ),
    implement(shareRoutes.listOwnShares, requireUser(ownership), async (_call, owner) => {
      const shares = await listing.listOwnShares(owner)
      return shares.map(presentOwnShare)
    }),
    implement(shareRoutes.listAllShares, requireAdmin(ownership), async ({ res, query }) => {
      const { shares, total } = await listing.listAllShares(query)
      res.set(TOTAL_COUNT_HEADER, String(total))
      return shares.map(presentSummary)
    }),
    implementPublic(shareRoutes.isShareIdAvailable, async ({ req, res, params: { id } }) => {
      res.set(rateLimitHeaders(await attempts.count('idCheck', req.ip ?? '')))
      return { isAvailable: await newShares.isShareIdAvailable(id) }
    }),
  ]
}

/** Authorises a call by the share in its path. */
function toShare<T>(
  decide: (id: string, caller: RequestCredentials) => Promise<T>,
): (asked: { req: Request; params: { id: string } }) => Promise<T> {
  return ({ req, params: { id } }) => decide(id, requestCredentials(req, id))
}

function createVisitorRoutes(deps: ShareRoutesDeps): ImplementedRoute[] {
  const { access, listing, visits, adminOpenings, ownership } = deps
  return [
    implement(shareRoutes.getShare, toShare(access.asVisitor), async ({ req }, share) => {
      const { isOwner } = await judgeReader(ownership, share, requestCredentials(req, share.id))
      return {
        ...presentShare(await listing.readShare(share)),
        ...(isOwner && share.creatorId !== null && { isOwn: true }),
      }
    }),
    implement(shareRoutes.getShareMetaData, toShare(access.asVisitor), async (_call, share) => {
      const { isReady, ...rest } = await listing.archiveStatus(share)
      return { id: share.id, isZipReady: isReady, ...rest }
    }),
    implementPublic(shareRoutes.openShare, async ({ req, res, params: { id }, body }) => {
      const credentials = requestCredentials(req, id)
      const { token, rateLimit } = await visits.openShare(id, { ...body, credentials })
      if (rateLimit) res.set(rateLimitHeaders(rateLimit))
      setVisitCookie(req, res, id, token)
      return { token }
    }),
    implement(
      shareRoutes.openShareAsAdministrator,
      requireAdmin(ownership),
      async ({ req, res, params: { id } }) => {
        const token = await adminOpenings.open(id, requestCredentials(req, id))
        setVisitCookie(req, res, id, token)
        return { token }
      },
    ),
    implementPublic(shareRoutes.openShareByForm, async ({ req, res, params, body }) => {
      // The path must have the form of a share's link, whether that share exists or not.
      const { success, data: id } = shareIdSchema.safeParse(params.id)
      if (!success) throw new AppError('share_not_found')
      const entry = { ...body, credentials: requestCredentials(req, id) }
      const refusal = await codeOfRefusal(async () => {
        if (await holdsVisit(visits, id, entry.credentials)) return
        setVisitCookie(req, res, id, (await visits.openShare(id, entry)).token)
      })
      // The page asks for a password by itself, unless it asked for a code.
      const isForeseen = refusal === 'share_password_required' && body.code === undefined
      res.location(sharePagePath(id, isForeseen ? null : refusal))
    }),
  ]
}

/** Codes for shares that open for their recipients; of any other nothing is told, nor sent. */
function createCodeRoutes({ visits, codes }: ShareRoutesDeps): ImplementedRoute[] {
  async function request(req: Request, id: string, email: string): Promise<void> {
    const share = await visits.find(id)
    const asked = { email, clientAddress: req.ip ?? '', language: requestLanguage(req) }
    await codes.request(share, asked)
  }
  return [
    implementPublic(shareRoutes.requestShareCode, ({ req, params: { id }, body: { email } }) =>
      request(req, id, email),
    ),
    implementPublic(
      shareRoutes.requestShareCodeByForm,
      async ({ req, res, params, body: { email } }) => {
        const { success, data: id } = shareIdSchema.safeParse(params.id)
        if (!success) throw new AppError('share_not_found')
        const refusal = await codeOfRefusal(() => request(req, id, email))
        const page = sharePagePath(id, refusal)
        res.location(refusal === null ? `${page}?${CODE_REQUESTED_PARAMETER}=1` : page)
      },
    ),
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
    if (isAppError(error) && statusOf(error) < 500) return error.code
    throw error
  }
}
