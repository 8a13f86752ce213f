import type { AuthPort } from '@floe/contracts'
import type { ApiTokens } from './api-tokens.ts'
import type { Sessions } from './sessions.ts'
import type { SocialSignIns } from './social.ts'
import type { Users } from './users.ts'

/** Queries of other services. */
export function createAuthPort({
  users,
  sessions,
  apiTokens,
  socialSignIns,
}: {
  users: Users
  sessions: Sessions
  apiTokens: Pick<ApiTokens, 'check'>
  socialSignIns: Pick<SocialSignIns, 'hasWorkingProvider'>
}): Omit<AuthPort, 'listOwnData'> {
  return {
    async identify({ accessToken, beforeSecondFactor = false }) {
      const ready = await sessions.identify(accessToken)
      const session = ready ?? (beforeSecondFactor ? await sessions.identifyAny(accessToken) : null)
      if (!session) return null
      const { sessionId, user, tokenCaps } = session
      const { id: userId, username, email, isAdmin, hasPassword, totpVerified } = user
      const { shareSizeLimit, sharingExceptions, emailStanding, directoryId } = user
      const shown = {
        ...{ username, email, isAdmin, hasPassword, totpVerified },
        ...(directoryId !== null && { isLdap: true as const }),
        ...(ready === null && { mustSetUpSecondFactor: true as const }),
      }
      const limits = { shareSizeLimit, sharingExceptions, emailStanding, tokenCaps }
      return { userId, sessionId, ...shown, ...limits }
    },
    checkToken: async (use) => ({ isInScope: await apiTokens.check(use) }),
    async findUsers({ ids }) {
      const found = await users.find(ids)
      return found.map(({ id, username, email, showsName, isAdmin, sharingExceptions }) => ({
        ...{ id, username, email, showsName, isAdmin, sharingExceptions },
      }))
    },
    listAdministrators: () => users.listAdministrators(),
    countUsers: async () => ({ count: await users.count() }),
    async storageLimit({ userId }) {
      const [user] = await users.find([userId])
      return {
        maxBytes: user?.storageLimit ?? null,
        maxShareBytes: user?.shareSizeLimit ?? null,
      }
    },
    hasWorkingProvider: async () => ({ isThere: await socialSignIns.hasWorkingProvider() }),
    searchUsers: ({ text }) => users.search(text),
  }
}
