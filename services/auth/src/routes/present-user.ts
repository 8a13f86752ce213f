import type { UserView } from '@floe/contracts'
import type { User } from '../domain/user.ts'

export function presentAccount(user: User): UserView {
  const { id, username, email, isAdmin, totpVerified, directoryId } = user
  const account = { id, username, email, isAdmin, totpVerified }
  return { ...account, ...(directoryId !== null && { isLdap: true }) }
}

/** For administrators. */
export function presentUser(user: User): UserView {
  const { storageLimit, shareSizeLimit, hasPasskeys, isWaiting } = user
  const more = {
    ...{ storageLimit, shareSizeLimit },
    ...(hasPasskeys && { hasPasskeys }),
    ...(isWaiting && { isWaiting }),
  }
  return { ...presentAccount(user), ...more, ...presentExceptions(user) }
}

export interface OwnState {
  pendingEmail: string | null
  mustVerifyEmail: boolean
  mustSetUpSecondFactor: boolean
}

/** What an account is set to, and which address is to be confirmed, only its user learns. */
export function presentOwnUser(
  user: User,
  { pendingEmail, mustVerifyEmail, mustSetUpSecondFactor }: OwnState,
): UserView {
  const { hasPassword, showsName: showName, shareSizeLimit } = user
  const own = {
    ...presentAccount(user),
    ...{ hasPassword, showName, shareSizeLimit },
    ...presentExceptions(user),
  }
  return {
    ...own,
    ...(pendingEmail !== null && { pendingEmail }),
    ...(mustVerifyEmail && { mustVerifyEmail }),
    ...(mustSetUpSecondFactor && { mustSetUpSecondFactor }),
  }
}

/** Most have none. */
function presentExceptions({
  sharingExceptions,
}: Pick<User, 'sharingExceptions'>): Pick<UserView, 'sharingExceptions'> {
  return Object.keys(sharingExceptions).length > 0 ? { sharingExceptions } : {}
}
