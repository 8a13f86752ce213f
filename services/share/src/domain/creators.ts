import type { AuthPort } from '@floe/contracts'
import type { Share } from './share.ts'

/** Who made a share, as its visitors are told: nobody without an account, or who wishes not to be. */
export async function nameSender(auth: AuthPort, { creatorId }: Share): Promise<string | null> {
  const [user] = creatorId === null ? [] : await auth.findUsers({ ids: [creatorId] })
  return user?.showsName === true ? user.username : null
}

/** For their owners and administrators: names who made each of these shares; `null` where that was without signing in. */
export async function nameCreators(
  auth: AuthPort,
  shares: readonly Share[],
): Promise<(share: Share) => string | null> {
  const ids = new Set(shares.flatMap(({ creatorId }) => creatorId ?? []))
  const users = ids.size === 0 ? [] : await auth.findUsers({ ids: [...ids] })
  const names = new Map(users.map(({ id, username }) => [id, username]))
  return (share) => names.get(share.creatorId ?? '') ?? null
}
