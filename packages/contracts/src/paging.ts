import { z } from 'zod'

/** Header of a page of a list: how many rows there are in all. */
export const TOTAL_COUNT_HEADER = 'X-Total-Count'

const limitSchema = z.coerce.number().int().min(1).max(200)
const offsetSchema = z.coerce.number().int().min(0).max(1_000_000_000)

/**
 * What narrows a list of administration down. Without `limit` it is the whole list, as clients of
 * the wire expect; the number of rows that match is told by `X-Total-Count`.
 */
export function listQuerySchema<const S extends readonly [string, ...string[]]>(sorts: S) {
  return z.object({
    search: z.string().trim().max(100).optional(),
    sort: z.enum(sorts).optional(),
    order: z.enum(['asc', 'desc']).optional(),
    limit: limitSchema.optional(),
    offset: offsetSchema.optional(),
  })
}

export const userListQuerySchema = listQuerySchema(['createdAt', 'username', 'email'])
export type UserListQuery = z.infer<typeof userListQuerySchema>

export const shareListQuerySchema = listQuerySchema(['createdAt', 'id', 'views', 'expiration'])
export type ShareListQuery = z.infer<typeof shareListQuerySchema>
