import type { EmailStanding, SharingExceptions } from '@floe/contracts'
import type { Knex } from '@floe/db'
import type { User } from '../domain/user.ts'

export interface UserRow {
  id: string
  username: string
  email: string
  is_admin: boolean
  has_password: boolean
  totp_verified: boolean
  has_passkeys: boolean
  storage_limit: number | null
  share_size_limit: number | null
  sharing_exceptions: SharingExceptions
  shows_name: boolean
  email_standing: EmailStanding
  directory_id: string | null
  is_waiting: boolean
}

export function toUser(row: UserRow): User {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    isAdmin: row.is_admin,
    hasPassword: row.has_password,
    totpVerified: row.totp_verified,
    hasPasskeys: row.has_passkeys,
    storageLimit: row.storage_limit,
    shareSizeLimit: row.share_size_limit,
    sharingExceptions: row.sharing_exceptions,
    showsName: row.shows_name,
    emailStanding: row.email_standing,
    directoryId: row.directory_id,
    isWaiting: row.is_waiting,
  }
}

export function selectUsers(knex: Knex) {
  return knex('users')
    .leftJoin('credentials', 'credentials.user_id', 'users.id')
    .leftJoin('totp_secrets', 'totp_secrets.user_id', 'users.id')
    .select<UserRow[]>(
      'users.id',
      'users.username',
      'users.email',
      'users.is_admin',
      'users.storage_limit',
      'users.share_size_limit',
      'users.sharing_exceptions',
      'users.shows_name',
      'users.email_standing',
      'users.directory_id',
      'users.is_waiting',
      knex.raw('credentials.user_id is not null as has_password'),
      knex.raw('totp_secrets.verified_at is not null as totp_verified'),
      knex.raw('exists (select from passkeys where user_id = users.id) as has_passkeys'),
    )
}

/*
 * Locks are taken in the order users, credentials, TOTP secrets, passkeys, recovery codes, one-time tokens,
 * changes of addresses, sessions, refresh tokens, so that no two requests wait for each other. A
 * deletion waits for the row of the user ahead of all others.
 */

export function lockUser(trx: Knex.Transaction, userId: string) {
  return trx('users').where({ id: userId }).forNoKeyUpdate().first<{ id: string } | undefined>('id')
}

/** Keeps the user from being deleted until the transaction ends, and nobody else waiting. */
export async function holdUser(trx: Knex.Transaction, userId: string): Promise<boolean> {
  const row = await trx('users').where({ id: userId }).forKeyShare().first('id')
  return row !== undefined
}
