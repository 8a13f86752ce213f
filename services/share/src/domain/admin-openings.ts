import type { AdminPort, RequestCredentials } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { adminAuditEvent } from './admin-audit-events.ts'
import type { Ownership } from './ownership.ts'
import type { ShareStore } from './ports.ts'
import type { PublishedShares } from './published-shares.ts'
import type { VisitTokens } from './visit-tokens.ts'

/** Visits of administrators to shares of others, where that is switched on. */
export interface AdminOpenings {
  /**
   * Begins a visit and returns its token: no password is asked for, no view is counted, and the
   * audit log tells of it. Fails with forbidden, share_not_found, share_removed.
   */
  open(id: string, credentials: RequestCredentials): Promise<string>
  /** Whether administrators may begin one. */
  areAllowed(): Promise<boolean>
}

export interface AdminOpeningsDeps {
  shares: ShareStore
  published: PublishedShares
  ownership: Ownership
  tokens: VisitTokens
  admin: AdminPort
}

export function createAdminOpenings(deps: AdminOpeningsDeps): AdminOpenings {
  const { shares, published, ownership, tokens, admin } = deps

  async function areAllowed() {
    return (await admin.settings({}))['share.allowAdminAccessAllShares']
  }

  return {
    areAllowed,

    open: async (id, credentials) => {
      const identity = await ownership.requireAdmin(credentials.accessToken)
      if (!(await areAllowed())) throw new AppError('forbidden')
      const share = await published.find(id)
      const event = adminAuditEvent('share.opened', share, { identity, caller: credentials })
      // Ahead of the token: nothing is read that the log does not tell of.
      await shares.recordAuditEvents([event])
      return tokens.issue(share)
    },
  }
}
