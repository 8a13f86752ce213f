import type { AuthPort } from '@floe/contracts'
import type { Accounts } from './accounts.ts'
import type { Sessions } from './sessions.ts'

/** What the other services may ask. */
export function createAuthPort({
  accounts,
  sessions,
}: {
  accounts: Accounts
  sessions: Sessions
}): AuthPort {
  return {
    async identify({ accessToken }) {
      const session = await sessions.identify(accessToken)
      if (!session) return null
      const { sessionId, user } = session
      const { id, username, email, isAdmin, hasPassword, totpVerified } = user
      return { userId: id, sessionId, username, email, isAdmin, hasPassword, totpVerified }
    },
    async findUsers({ ids }) {
      const users = await accounts.findUsers(ids)
      return users.map(({ id, username, email }) => ({ id, username, email }))
    },
  }
}
