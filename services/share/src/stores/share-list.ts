import { containing } from '@floe/db'
import type { Knex } from 'knex'
import type { ShareListing } from '../domain/ports.ts'
import type { Share } from '../domain/share.ts'
import { fromRow, type ShareRow } from './share-rows.ts'

/** The column of each sort order; each has an index. */
const sortColumns = {
  createdAt: 'created_at',
  id: 'id',
  views: 'views',
  expiration: 'expires_at',
} as const

function matchingShares(knex: Knex, search: ShareListing['search']) {
  const shares = knex<ShareRow>('shares')
  if (search === undefined) return shares
  const pattern = containing(search.text)
  return shares.where((either) =>
    either
      .whereILike('id', pattern)
      .orWhereILike('name', pattern)
      .orWhereRaw('creator_id = any(?::uuid[])', [[...search.creatorIds]]),
  )
}

/** Shares that never expire come after all that do. */
export async function listShares(
  knex: Knex,
  { search, sort = 'createdAt', order = 'desc', limit, offset = 0 }: ShareListing,
): Promise<{ shares: Share[]; total: number }> {
  const page = matchingShares(knex, search)
    .orderByRaw(`${sortColumns[sort]} ${order}, uid ${order}`)
    .offset(offset)
  if (limit !== undefined) page.limit(limit)
  const [rows, [counted]] = await Promise.all([
    page,
    matchingShares(knex, search).count<{ count: string | number }[]>('* as count'),
  ])
  return { shares: rows.map(fromRow), total: Number(counted?.count ?? 0) }
}
