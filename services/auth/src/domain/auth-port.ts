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
      const { id, username, email, isAdmin } = session.user
      return { userId: id, sessionId: session.sessionId, username, email, isAdmin }
    },
    async findUsers({ ids }) {
      const users = await accounts.findUsers(ids)
      return users.map(({ id, username, email }) => ({ id, username, email }))
    },
  }
}
