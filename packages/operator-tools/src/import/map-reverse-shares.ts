import type { Knex } from '@floe/db'
import { keepUuid, type SourceReverseShare } from '@floe/import'
import { findReverseSharesByToken, type ImportedReverseShare } from '@floe/share'
import type { MapSharesOptions } from './map-shares.ts'
import type { Resolution } from './read-options.ts'

export interface ReverseSharePlan {
  reverseShares: ImportedReverseShare[]
  /** For the shares that came through them. */
  terms: MapSharesOptions['reverseShares']
  conflicts: string[]
  losses: string[]
}

interface MapReverseSharesOptions {
  knex: Knex
  sources: readonly SourceReverseShare[]
  owners: ReadonlyMap<string, string | null>
  onConflict: Resolution | null
}

/** What reverse shares are here. One whose owner does not come stays away. */
export async function mapReverseShares(
  options: MapReverseSharesOptions,
): Promise<ReverseSharePlan> {
  const { knex, sources, owners } = options
  const terms = new Map<string, { id: string; receiverId: string; isPrivate: boolean }>()
  const plan = { reverseShares: [] as ImportedReverseShare[], conflicts: [] as string[] }
  const losses: string[] = []
  const taken = await findReverseSharesByToken(
    knex,
    sources.map(({ token }) => token),
  )
  for (const source of sources) {
    const id = keepUuid(source.id, 'pingvin', 'reverse share')
    const creatorId = owners.get(source.creatorId) ?? null
    if (creatorId === null) {
      losses.push(`reverse share ${source.token}: its owner did not come`)
      continue
    }
    const holder = taken.get(source.token)
    if (holder !== undefined && holder !== id) {
      plan.conflicts.push(`reverse share ${source.token}: a reverse share here has this link`)
      continue
    }
    terms.set(source.id, { id, receiverId: creatorId, isPrivate: !source.isPublic })
    if (holder === undefined) plan.reverseShares.push({ ...source, id, creatorId })
  }
  return { ...plan, terms, losses }
}
