import { createHmac } from 'node:crypto'
import type { AdminPort, ReadGrant, RequestCredentials } from '@floe/contracts'
import { AppError, type RateLimitUsage } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import type { Attempts } from './attempts.ts'
import type { Ownership, Standing } from './ownership.ts'
import type { ShareStore, VisitStore } from './ports.ts'
import { grantRead } from './read-grant.ts'
import { requirePublished, type Share } from './share.ts'
import type { ShareKey } from './share-key.ts'
import type { VisitTokens } from './visit-tokens.ts'

/** Resumed and ranged requests of one client within this time are one view. */
export const VISIT_WINDOW_MS = 3_600_000

export interface Visits {
  /**
   * Begins a visit: checks the password, counts one view, answers the visit token; whoever reads
   * without a visit gets it for nothing. Fails with share_not_found, share_removed, private_share,
   * share_password_required, wrong_password, too_many_requests, share_max_views_exceeded.
   */
  openShare(id: string, entry: Entry): Promise<OpenedShare>
  /**
   * The share, for the holder of its visit token, and for whoever received it. Fails with
   * share_not_found, share_removed, private_share, share_password_required, share_token_required.
   */
  requireVisit(id: string, credentials: RequestCredentials): Promise<Share>
  /**
   * The share, if it opens to anybody at all and still does; counts nothing. Fails with
   * share_not_found, share_removed, private_share, share_password_required,
   * share_max_views_exceeded.
   */
  requireOpen(id: string): Promise<Share>
  /** `requireVisit`, and also the owner; see `sharePort.authorizeRead` for `direct`. */
  authorizeRead(request: ReadRequest): Promise<ReadGrant>
}

export interface Entry {
  password: string | undefined
  credentials: RequestCredentials
}

export interface OpenedShare {
  token: string
  /** Null where no password was asked for. */
  rateLimit: RateLimitUsage | null
}

export interface ReadRequest {
  shareId: string
  access: 'visit' | 'direct'
  credentials: RequestCredentials
}

export interface VisitsDeps {
  shares: ShareStore
  visits: VisitStore
  tokens: VisitTokens
  passwords: Passwords
  attempts: Attempts
  ownership: Ownership
  admin: AdminPort
  key: ShareKey
  clock: () => Date
  /** Told when a visit begins; may take its time and may fail. */
  prepareDownload(grant: ReadGrant): void
}

export function createVisits(deps: VisitsDeps): Visits {
  const { passwords, attempts, admin } = deps
  const { shares, visits, tokens, ownership, key, clock, prepareDownload } = deps

  async function findPublished(id: string) {
    const share = requirePublished(await shares.findById(id), clock())
    if (share.archiveLevel !== null) return share
    // From before levels were noted. Whoever comes first fixes those of all at what they are now.
    const { 'share.zipCompressionLevel': level } = await admin.settings({})
    await shares.settleArchiveLevels(level)
    return requirePublished(await shares.findById(id), clock())
  }

  /** Whose share it is matters only to those who bring something that could make it theirs. */
  async function judgeReader(share: Share, credentials: RequestCredentials): Promise<Standing> {
    const { accessToken, ownerToken } = credentials
    const { creatorId, receiverId } = share
    const isAccountAsked = creatorId !== null || receiverId !== null
    const bringsAny = isAccountAsked ? accessToken || ownerToken : ownerToken
    return bringsAny ? ownership.judge(share, credentials) : stranger
  }

  /** Only of a share that was sent through a reverse share; others are nobody's but a visitor's. */
  async function judgeReceiver(share: Share, credentials: RequestCredentials): Promise<Standing> {
    return share.receiverId === null ? stranger : judgeReader(share, credentials)
  }

  async function openShare(id: string, entry: Entry): Promise<OpenedShare> {
    const share = await findPublished(id)
    if (readsWithoutVisit(share, await judgeReceiver(share, entry.credentials))) {
      return { token: await tokens.issue(share), rateLimit: null }
    }
    const rateLimit = await checkPassword(share, entry)
    if (!(await shares.countView(share, clock()))) {
      const latest = await findPublished(id)
      // The password changed while this one was being checked.
      if (latest.uid !== share.uid || latest.passwordHash !== share.passwordHash) {
        throw new AppError('wrong_password')
      }
      throw new AppError('share_max_views_exceeded')
    }
    prepareDownload(grantRead(share))
    return { token: await tokens.issue(share), rateLimit }
  }

  async function checkPassword(
    { uid, passwordHash }: Share,
    { password, credentials: { clientAddress } }: Entry,
  ): Promise<RateLimitUsage | null> {
    if (passwordHash === null) return null
    if (!password) throw new AppError('share_password_required')
    return attempts.checkPassword({ subject: uid, clientAddress }, () =>
      passwords.verify(passwordHash, password),
    )
  }

  async function holdsVisit(share: Share, shareToken: string | null) {
    return shareToken ? tokens.verify(shareToken, share) : false
  }

  async function chargeDirectVisit(share: Share, credentials: RequestCredentials) {
    const now = clock()
    const visitor = { shareUid: share.uid, visitorHash: await hashVisitor(share, credentials), now }
    if (await visits.isUnderWay(visitor)) return
    const expiresAt = new Date(now.getTime() + VISIT_WINDOW_MS)
    if (await visits.begin({ ...visitor, expiresAt })) return
    const latest = await findPublished(share.id)
    if (latest.passwordHash !== null) refuseRead(latest, credentials.shareToken)
    throw new AppError('share_max_views_exceeded')
  }

  /** Keyed and bound to the share: rows must not reveal addresses nor link visits of shares. */
  async function hashVisitor({ uid }: Share, credentials: RequestCredentials) {
    return createHmac('sha256', await key())
      .update(`visitor\0${uid}\0${credentials.clientAddress}\0${credentials.userAgent}`)
      .digest('base64url')
  }

  return {
    openShare,

    requireVisit: async (id, credentials) => {
      const share = await findPublished(id)
      const { shareToken } = credentials
      if (readsWithoutVisit(share, await judgeReceiver(share, credentials))) return share
      if (!(await holdsVisit(share, shareToken))) refuseRead(share, shareToken)
      return share
    },

    requireOpen: async (id) => {
      const share = await findPublished(id)
      if (share.isPrivate) throw new AppError('private_share')
      if (share.passwordHash !== null) throw new AppError('share_password_required')
      if (share.maxViews !== null && share.views >= share.maxViews) {
        throw new AppError('share_max_views_exceeded')
      }
      return share
    },

    authorizeRead: async ({ shareId, access, credentials }) => {
      const share = await findPublished(shareId)
      const standing = await judgeReader(share, credentials)
      const grant = grantRead(share, standing)
      if (readsWithoutVisit(share, standing) || standing.isOwner) return grant
      if (await holdsVisit(share, credentials.shareToken)) return grant
      if (access === 'visit' || share.passwordHash !== null) {
        refuseRead(share, credentials.shareToken)
      }
      await chargeDirectVisit(share, credentials)
      return grant
    },
  }
}

const stranger: Standing = {
  isMaker: false,
  isOwner: false,
  isReceiver: false,
  isAdmin: false,
  identity: null,
}

/**
 * Whoever received a share needs no visit, nor does the creator of a private one.
 * Fails with private_share for everybody else where it is private.
 */
function readsWithoutVisit({ isPrivate }: Share, { isOwner, isReceiver }: Standing): boolean {
  if (isReceiver || (isPrivate && isOwner)) return true
  if (isPrivate) throw new AppError('private_share')
  return false
}

function refuseRead(share: Share, shareToken: string | null): never {
  throw new AppError(
    share.passwordHash !== null && !shareToken ? 'share_password_required' : 'share_token_required',
  )
}
