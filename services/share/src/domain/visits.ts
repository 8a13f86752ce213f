import type { ReadGrant, RequestCredentials } from '@floe/contracts'
import { AppError, type RateLimitUsage } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import type { Attempts } from './attempts.ts'
import { countDirectVisit, type DirectVisitsDeps } from './direct-visits.ts'
import type { Ownership } from './ownership.ts'
import { createPublishedShares, type PublishedSharesDeps } from './published-shares.ts'
import { grantRead } from './read-grant.ts'
import { judgeReader, readsWithoutVisit } from './readers.ts'
import type { Share } from './share.ts'
import type { VisitTokens } from './visit-tokens.ts'

export interface Visits {
  /**
   * Begins a visit: checks the password, counts one view, returns the visit token. The owner and the
   * receiver get the token without either, unless they give a password. Fails with share_not_found, share_removed, private_share,
   * share_password_required, wrong_password, too_many_requests, share_max_views_exceeded.
   */
  openShare(id: string, entry: Entry): Promise<OpenedShare>
  /**
   * The share, for the holder of its visit token, its owner and its receiver. Fails with
   * share_not_found, share_removed, private_share, share_password_required, share_token_required.
   */
  requireVisit(id: string, credentials: RequestCredentials): Promise<Share>
  /**
   * The share, if it opens to anybody at all and still does; counts nothing. Fails with
   * share_not_found, share_removed, private_share, share_password_required,
   * share_max_views_exceeded.
   */
  requireOpen(id: string): Promise<Share>
  /** `requireVisit` as a grant; see `sharePort.authorizeRead` for `direct`. */
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

export interface VisitsDeps extends DirectVisitsDeps, PublishedSharesDeps {
  tokens: VisitTokens
  passwords: Passwords
  attempts: Attempts
  ownership: Ownership
  /** Told when a visit begins; may take its time and may fail. */
  prepareDownload(grant: ReadGrant): void
}

export function createVisits(deps: VisitsDeps): Visits {
  const { shares, tokens, passwords, attempts, ownership, clock, prepareDownload } = deps
  const published = createPublishedShares(deps)

  async function openShare(id: string, entry: Entry): Promise<OpenedShare> {
    const share = await published.find(id)
    const standing = await judgeReader(ownership, share, entry.credentials)
    // A password that is given is tried, whose ever the share is: existing clients rely on it.
    const triesPassword = share.passwordHash !== null && Boolean(entry.password)
    if (readsWithoutVisit(share, standing) && !triesPassword) {
      return { token: await tokens.issue(share), rateLimit: null }
    }
    const rateLimit = await checkPassword(share, entry)
    if (!(await shares.countView(share, clock()))) {
      const latest = await published.find(id)
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

  async function requireDirectVisit(share: Share, credentials: RequestCredentials) {
    if (await countDirectVisit(deps, share, credentials)) return
    const latest = await published.find(share.id)
    if (latest.passwordHash !== null) refuseRead(latest, credentials.shareToken)
    throw new AppError('share_max_views_exceeded')
  }

  return {
    openShare,

    requireVisit: async (id, credentials) => {
      const share = await published.find(id)
      const { shareToken } = credentials
      if (readsWithoutVisit(share, await judgeReader(ownership, share, credentials))) return share
      if (!(await holdsVisit(tokens, share, shareToken))) refuseRead(share, shareToken)
      return share
    },

    requireOpen: async (id) => {
      const share = await published.find(id)
      if (share.isPrivate) throw new AppError('private_share')
      if (share.passwordHash !== null) throw new AppError('share_password_required')
      if (share.maxViews !== null && share.views >= share.maxViews) {
        throw new AppError('share_max_views_exceeded')
      }
      return share
    },

    authorizeRead: async ({ shareId, access, credentials }) => {
      const share = await published.find(shareId)
      const standing = await judgeReader(ownership, share, credentials)
      const grant = grantRead(share, standing)
      if (readsWithoutVisit(share, standing)) return grant
      if (await holdsVisit(tokens, share, credentials.shareToken)) return grant
      if (access === 'visit' || share.passwordHash !== null) {
        refuseRead(share, credentials.shareToken)
      }
      await requireDirectVisit(share, credentials)
      return grant
    },
  }
}

async function holdsVisit(tokens: VisitTokens, share: Share, shareToken: string | null) {
  return shareToken ? tokens.verify(shareToken, share) : false
}

function refuseRead(share: Share, shareToken: string | null): never {
  throw new AppError(
    share.passwordHash !== null && !shareToken ? 'share_password_required' : 'share_token_required',
  )
}
