import type { UserView } from '@floe/contracts'
import type { User } from '../domain/user.ts'

export function presentUser({ id, username, email, isAdmin, totpVerified }: User): UserView {
  return { id, username, email, isAdmin, totpVerified }
}

/** Only the user learns whether the account has a password. */
export function presentOwnUser(user: User): UserView {
  return { ...presentUser(user), hasPassword: user.hasPassword }
}
