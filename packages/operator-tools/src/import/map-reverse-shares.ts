import type { Knex } from '@floe/db'
import { keepUuid, type Product, type SourceReverseShare } from '@floe/import'
import { findReverseShares, type ImportedReverseShare } from '@floe/share'
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
  product: Product
  sources: readonly SourceReverseShare[]
  owners: ReadonlyMap<string, string | null>
  onConflict: Resolution | null
}

interface Known {
  id: string
  token: string
}

/** What reverse shares are here. One whose owner does not come stays away. */
export async function mapReverseShares(
  options: MapReverseSharesOptions,
): Promise<ReverseSharePlan> {
  const { knex, product, sources, owners } = options
  const idOf = ({ id }: SourceReverseShare) => keepUuid(id, product, 'reverse share')
  const terms = new Map<string, { id: string; receiverId: string; isPrivate: boolean }>()
  const plan: ReverseSharePlan = { reverseShares: [], terms, conflicts: [], losses: [] }
  const ids = sources.map(idOf)
  const here = await findReverseShares(knex, { ids, tokens: sources.map(({ token }) => token) })
  for (const source of sources) {
    const id = idOf(source)
    const creatorId = owners.get(source.creatorId) ?? null
    if (creatorId === null) {
      plan.losses.push(`reverse share ${source.token}: its owner did not come`)
      continue
    }
    if (!here.some((one) => one.id === id)) {
      const place = await findPlace(source, here, options, plan)
      if (place === null) continue
      plan.reverseShares.push({ ...source, id, creatorId, ...place })
    }
    terms.set(source.id, { id, receiverId: creatorId, isPrivate: !source.isPublic })
  }
  return plan
}

/** Null for one that does not come. */
async function findPlace(
  { token }: SourceReverseShare,
  here: readonly Known[],
  { knex, sources, onConflict }: MapReverseSharesOptions,
  { conflicts, losses }: ReverseSharePlan,
): Promise<{ token: string; replaces: string | null } | null> {
  const holder = here.find((one) => one.token === token)
  if (!holder) return { token, replaces: null }
  conflicts.push(`reverse share ${token}: a reverse share here has this link`)
  if (onConflict === 'replace') {
    losses.push(`reverse share ${token} replaced the one that had its link here`)
    return { token, replaces: holder.id }
  }
  if (onConflict === 'skip')
    losses.push(`reverse share ${token} is left out: its link is taken here`)
  if (onConflict !== 'rename') return null
  for (let number = 2; ; number += 1) {
    const other = `${token}-${number}`
    const [taken] = await findReverseShares(knex, { ids: [], tokens: [other] })
    if (taken || sources.some((source) => source.token === other)) continue
    losses.push(`reverse share ${token} has the link ${other} here`)
    return { token: other, replaces: null }
  }
}
