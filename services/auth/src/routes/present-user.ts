import type { UserView } from '@floe/contracts'
import type { User } from '../domain/user.ts'

export function presentAccount({ id, username, email, isAdmin, totpVerified }: User): UserView {
  return { id, username, email, isAdmin, totpVerified }
}

/** For administrators. */
export function presentUser(user: User): UserView {
  return { ...presentAccount(user), storageLimit: user.storageLimit }
}

/** Only the user learns whether the account has a password, and which address is to be confirmed. */
export function presentOwnUser(user: User, pendingEmail: string | null): UserView {
  const { hasPassword } = user
  return { ...presentAccount(user), hasPassword, ...(pendingEmail !== null && { pendingEmail }) }
}
