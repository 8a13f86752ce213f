import type { Knex } from '@floe/db'
import type { User } from '../domain/user.ts'

export interface UserRow {
  id: string
  username: string
  email: string
  is_admin: boolean
  has_password: boolean
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    isAdmin: row.is_admin,
    hasPassword: row.has_password,
  }
}

export function selectUsers(knex: Knex) {
  return knex('users')
    .leftJoin('credentials', 'credentials.user_id', 'users.id')
    .select<UserRow[]>(
      'users.id',
      'users.username',
      'users.email',
      'users.is_admin',
      knex.raw('credentials.user_id is not null as has_password'),
    )
}

/*
 * Locks are taken in the order users, credentials, sessions, refresh tokens, as a deletion
 * cascades, so that no two requests wait for each other.
 */

export function lockUser(trx: Knex.Transaction, userId: string) {
  return trx('users').where({ id: userId }).forNoKeyUpdate().first<{ id: string } | undefined>('id')
}
