import type { ReadGrant, RequestCredentials } from '@floe/contracts'
import { AppError, type RateLimitUsage } from '@floe/errors'
import type { Passwords } from '@floe/secrets'
import type { AdminOpenings } from './admin-openings.ts'
import type { Attempts } from './attempts.ts'
import { countDirectVisit, type DirectVisitsDeps } from './direct-visits.ts'
import type { Ownership, Standing } from './ownership.ts'
import type { ShareStore } from './ports.ts'
import type { PublishedShares } from './published-shares.ts'
import { grantRead } from './read-grant.ts'
import { judgeReader, readsWithoutVisit } from './readers.ts'
import type { Admission, Recipients } from './recipients.ts'
import { closed, type Share } from './share.ts'
import type { VisitTokens } from './visit-tokens.ts'

export interface Visits {
  /**
   * Begins a visit: checks recipient and password, counts one view, returns the visit token. The owner
   * and the receiver get the token without any, unless they give a password. Fails with
   * share_not_found, share_removed, private_share, share_recipient_required, invalid_share_code,
   * share_password_required, wrong_password, too_many_requests, share_max_views_exceeded.
   */
  openShare(id: string, entry: Entry): Promise<OpenedShare>
  /**
   * The share, for the holder of its visit token, its owner and its receiver. Fails with
   * share_not_found, share_removed, private_share, share_recipient_required,
   * share_password_required, share_token_required.
   */
  requireVisit(id: string, credentials: RequestCredentials): Promise<Share>
  /**
   * The share, if it opens to anybody at all and still does; counts nothing. Fails with
   * share_not_found, share_removed, private_share, share_recipient_required,
   * share_password_required, share_max_views_exceeded.
   */
  requireOpen(id: string): Promise<Share>
  /** The share as a link leads to it. Fails with share_not_found, share_removed. */
  find(id: string): Promise<Share>
  /** `requireVisit` as a grant; see `sharePort.authorizeRead` for `direct`. */
  authorizeRead(request: ReadRequest): Promise<ReadGrant>
}

export interface Entry {
  password?: string | undefined
  /** Of a recipient, with the code that was sent there. */
  email?: string | undefined
  code?: string | undefined
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

export interface VisitsDeps extends DirectVisitsDeps {
  shares: ShareStore
  published: PublishedShares
  adminOpenings: Pick<AdminOpenings, 'areAllowed'>
  tokens: VisitTokens
  passwords: Passwords
  attempts: Attempts
  ownership: Ownership
  recipients: Recipients
  /** Told when a visit begins; may take its time and may fail. */
  prepareDownload(grant: ReadGrant): void
}

export function createVisits(deps: VisitsDeps): Visits {
  const { shares, published, tokens, ownership, recipients, clock } = deps

  async function openShare(id: string, entry: Entry): Promise<OpenedShare> {
    const share = await published.find(id)
    const standing = await judgeReader(ownership, share, entry.credentials)
    // A password that is given is tried, whose ever the share is: existing clients rely on it.
    const triesPassword = share.passwordHash !== null && Boolean(entry.password)
    const isFree = readsWithoutVisit(share, standing)
    if (isFree && !triesPassword) return { token: await tokens.issue(share), rateLimit: null }
    const admission = isFree ? null : await admit(deps, { share, standing, entry })
    const rateLimit = await checkPassword(deps, share, entry)
    await admission?.use()
    if (!(await shares.countView(share, clock()))) {
      const latest = await published.find(id)
      // The password changed while this one was being checked.
      if (latest.uid !== share.uid || latest.passwordHash !== share.passwordHash) {
        throw new AppError('wrong_password')
      }
      throw new AppError('share_max_views_exceeded')
    }
    deps.prepareDownload(grantRead(share))
    return { token: await tokens.issue(share, admission?.recipient), rateLimit }
  }

  async function requireDirectVisit(reader: Reader, credentials: RequestCredentials) {
    const { share } = reader
    if (await countDirectVisit(deps, share, credentials)) return
    const latest = await published.find(share.id)
    if (latest.passwordHash !== null) await refuseRead(deps, { ...reader, share: latest })
    throw new AppError('share_max_views_exceeded')
  }

  return {
    openShare,

    requireVisit: async (id, credentials) => {
      const share = await published.find(id)
      const { shareToken } = credentials
      const standing = await judgeReader(ownership, share, credentials)
      const reader = { share, standing, shareToken }
      const isClosed = share.isPrivate || share.restrictsToRecipients
      if (isClosed && (await isOverseen(deps, reader))) return share
      if (readsWithoutVisit(share, standing)) return share
      if (!(await holdsVisit(deps, reader))) await refuseRead(deps, reader)
      return share
    },

    requireOpen: async (id) => {
      const share = await published.find(id)
      expectOpen(share)
      return share
    },

    find: (id) => published.find(id),

    authorizeRead: async ({ shareId, access, credentials }) => {
      const share = await published.find(shareId)
      const standing = await judgeReader(ownership, share, credentials)
      const reader = { share, standing, shareToken: credentials.shareToken }
      // What administrators read is no download that anybody is told of.
      if (await isOverseen(deps, reader)) return grantRead(share, { isOwner: true })
      const grant = grantRead(share, standing)
      if (readsWithoutVisit(share, standing)) return grant
      if (await holdsVisit(deps, reader)) return grant
      const isInvited = await recipients.isInvited(share, standing.identity)
      const isOpen = share.passwordHash === null && isInvited
      if (access === 'visit' || !isOpen) await refuseRead(deps, reader)
      await requireDirectVisit(reader, credentials)
      return grant
    },
  }
}

/** Of a visit that an administrator may have begun, which opens what is closed to others too. */
async function isOverseen(
  { tokens, adminOpenings }: VisitsDeps,
  { share, standing, shareToken }: Reader,
): Promise<boolean> {
  // The others cost nothing.
  if (!standing.isAdmin || !shareToken) return false
  return (await tokens.read(shareToken, share)) !== null && adminOpenings.areAllowed()
}

function admit(
  { recipients }: VisitsDeps,
  { share, standing, entry }: { share: Share; standing: Standing; entry: Entry },
): Promise<Admission> {
  const { email, code, credentials } = entry
  const { clientAddress } = credentials
  return recipients.admit(share, { identity: standing.identity, email, code, clientAddress })
}

async function checkPassword(
  { attempts, passwords }: VisitsDeps,
  share: Share,
  { password, credentials: { clientAddress } }: Entry,
): Promise<RateLimitUsage | null> {
  const { uid, passwordHash } = share
  if (passwordHash === null) return null
  if (!password) throw closed(share, 'share_password_required')
  return attempts.checkPassword({ subject: uid, clientAddress }, () =>
    passwords.verify(passwordHash, password),
  )
}

interface Reader {
  share: Share
  standing: Standing
  shareToken: string | null
}

async function holdsVisit(
  { tokens, recipients }: VisitsDeps,
  { share, shareToken }: Reader,
): Promise<boolean> {
  const visit = shareToken ? await tokens.read(shareToken, share) : null
  return visit !== null && recipients.isStillOne(share, visit.recipient)
}

async function refuseRead(
  { recipients }: VisitsDeps,
  { share, standing, shareToken }: Reader,
): Promise<never> {
  const isInvited = await recipients.isInvited(share, standing.identity)
  if (!isInvited) throw closed(share, 'share_recipient_required')
  const needsPassword = share.passwordHash !== null && !shareToken
  throw needsPassword
    ? closed(share, 'share_password_required')
    : new AppError('share_token_required')
}

/** What anybody may open; the reason is thrown where it is not. */
function expectOpen(share: Share): void {
  if (share.isPrivate) throw new AppError('private_share')
  if (share.restrictsToRecipients) throw closed(share, 'share_recipient_required')
  if (share.passwordHash !== null) throw closed(share, 'share_password_required')
  if (share.maxViews !== null && share.views >= share.maxViews) {
    throw new AppError('share_max_views_exceeded')
  }
}
