import { createHmac } from 'node:crypto'
import type { ReadGrant, RequestCredentials } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Passwords } from '@floe/passwords'
import type { Attempts, LimitHeaders } from './attempts.ts'
import type { Ownership } from './ownership.ts'
import type { ShareStore, VisitStore } from './ports.ts'
import { grantRead } from './read-grant.ts'
import { requirePublished, type Share } from './share.ts'
import type { ShareKey } from './share-key.ts'
import type { VisitTokens } from './visit-tokens.ts'

/** Resumed and ranged requests of one client within this time are one view. */
export const VISIT_WINDOW_MS = 3_600_000

export interface Visits {
  /**
   * Begins a visit: checks the password, counts one view, answers the visit token.
   * Fails with share_not_found, share_removed, share_password_required, wrong_password,
   * too_many_requests, share_max_views_exceeded.
   */
  openShare(id: string, entry: Entry): Promise<OpenedShare>
  /**
   * The share, for the holder of its visit token.
   * Fails with share_not_found, share_removed, share_password_required, share_token_required.
   */
  requireVisit(id: string, shareToken: string | null): Promise<Share>
  /** `requireVisit`, and also the owner; see `sharePort.authorizeRead` for `direct`. */
  authorizeRead(request: ReadRequest): Promise<ReadGrant>
}

export interface Entry {
  password: string | undefined
  clientAddress: string
}

export interface OpenedShare {
  token: string
  /** Empty where no password was asked for. */
  headers: LimitHeaders
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
  key: ShareKey
  clock: () => Date
  /** Told when a visit begins; may take its time and may fail. */
  prepareDownload(grant: ReadGrant): void
}

export function createVisits(deps: VisitsDeps): Visits {
  const { passwords, attempts } = deps
  const { shares, visits, tokens, ownership, key, clock, prepareDownload } = deps

  async function findPublished(id: string) {
    return requirePublished(await shares.findById(id), clock())
  }

  async function openShare(id: string, entry: Entry) {
    const share = await findPublished(id)
    const headers = await checkPassword(share, entry)
    if (!(await shares.countView(share))) {
      const latest = await findPublished(id)
      // The password changed while this one was being checked.
      if (latest.uid !== share.uid || latest.passwordHash !== share.passwordHash) {
        throw new AppError('wrong_password')
      }
      throw new AppError('share_max_views_exceeded')
    }
    prepareDownload(grantRead(share))
    return { token: await tokens.issue(share), headers }
  }

  async function checkPassword(
    { uid, passwordHash }: Share,
    { password, clientAddress }: Entry,
  ): Promise<LimitHeaders> {
    if (passwordHash === null) return {}
    if (!password) throw new AppError('share_password_required')
    return attempts.checkPassword({ shareUid: uid, clientAddress }, () =>
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

    requireVisit: async (id, shareToken) => {
      const share = await findPublished(id)
      if (!(await holdsVisit(share, shareToken))) refuseRead(share, shareToken)
      return share
    },

    authorizeRead: async ({ shareId, access, credentials }) => {
      const share = await findPublished(shareId)
      if (await holdsVisit(share, credentials.shareToken)) return grantRead(share)
      const standing = await ownership.judge(share, credentials)
      if (standing.isOwner) return grantRead(share)
      if (access === 'visit' || share.passwordHash !== null) {
        refuseRead(share, credentials.shareToken)
      }
      await chargeDirectVisit(share, credentials)
      return grantRead(share)
    },
  }
}

function refuseRead(share: Share, shareToken: string | null): never {
  throw new AppError(
    share.passwordHash !== null && !shareToken ? 'share_password_required' : 'share_token_required',
  )
}
