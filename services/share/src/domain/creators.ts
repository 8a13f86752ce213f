import type { AuthPort } from '@floe/contracts'
import type { Share } from './share.ts'

/** Names who made each of these shares; `null` where that was without signing in. */
export async function nameCreators(
  auth: AuthPort,
  shares: readonly Share[],
): Promise<(share: Share) => string | null> {
  const ids = new Set(shares.flatMap(({ creatorId }) => creatorId ?? []))
  const users = ids.size === 0 ? [] : await auth.findUsers({ ids: [...ids] })
  const names = new Map(users.map(({ id, username }) => [id, username]))
  return (share) => names.get(share.creatorId ?? '') ?? null
}
