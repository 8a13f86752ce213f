import type { UserListQuery } from '@floe/contracts'
import { containing, type Knex } from '@floe/db'
import type { User } from '../domain/user.ts'
import { selectUsers, toUser } from './rows.ts'

/** The column of each sort order; each has an index. */
const sortColumns = {
  createdAt: 'users.created_at',
  username: 'lower(users.username)',
  email: 'lower(users.email)',
} as const

export function matchingUsers(knex: Knex, search: string | undefined) {
  const users = knex('users')
  if (!search) return users
  const pattern = containing(search)
  return users.where((either) =>
    either.whereILike('users.username', pattern).orWhereILike('users.email', pattern),
  )
}

export async function listUsers(
  knex: Knex,
  { search, sort = 'createdAt', order = 'asc', limit, offset = 0 }: UserListQuery,
): Promise<{ users: User[]; total: number }> {
  const page = matchingUsers(knex, search)
    .select('users.id')
    .orderByRaw(`${sortColumns[sort]} ${order}, users.id ${order}`)
    .offset(offset)
  if (limit !== undefined) page.limit(limit)
  const [rows, [counted]] = await Promise.all([
    selectUsers(knex)
      .whereIn('users.id', page)
      .orderByRaw(`${sortColumns[sort]} ${order}, users.id ${order}`),
    matchingUsers(knex, search).count<{ count: string | number }[]>('* as count'),
  ])
  return { users: rows.map(toUser), total: Number(counted?.count ?? 0) }
}

/** But for those who still owe a proof of their address. */
export async function listAdministrators(knex: Knex): Promise<Pick<User, 'id' | 'email'>[]> {
  return knex('users')
    .where({ is_admin: true })
    .whereNot({ email_standing: 'owed' })
    .orderBy('id')
    .select<Pick<User, 'id' | 'email'>[]>('id', 'email')
}
