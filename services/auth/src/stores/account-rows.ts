import type { EmailStanding } from '@floe/contracts'
import { advisoryLockClass, type Knex } from '@floe/db'
import { AppError } from '@floe/errors'
import type { EmailProof } from '../domain/ports.ts'
import type { User } from '../domain/user.ts'
import { recordEmailProof } from './token-rows.ts'

/** Only one transaction at a time decides by the number of users or administrators. */
export async function lockAccounts(trx: Knex.Transaction): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?, 0)', [advisoryLockClass.accounts])
}

export async function hasUsers(knex: Knex): Promise<boolean> {
  return (await knex('users').first('id')) !== undefined
}

export async function countOthers(
  trx: Knex.Transaction,
  userId: string,
): Promise<{ users: number; admins: number }> {
  return trx('users')
    .whereNot({ id: userId })
    .first<{ users: number; admins: number }>(
      trx.raw('count(*) as users'),
      trx.raw('count(*) filter (where is_admin) as admins'),
    )
}

export interface AccountRow {
  id: string
  username: string
  email: string
  isAdmin: boolean
  /** `null` for an account without a password. */
  passwordHash: string | null
  /** Bytes, 0 is no limit; `null`, as for most, leaves it to the setting. */
  storageLimit?: number | null
  showsName?: boolean
  /** Bytes of one share; as `storageLimit`. */
  shareSizeLimit?: number | null
  createdAt: Date
  /** `assumed` unless told otherwise. */
  emailStanding?: EmailStanding
  /** The id of the person's entry in the directory; `null`, as for most, for a local account. */
  directoryId?: string | null
  /** `false` unless told otherwise. */
  isWaiting?: boolean
}

export async function insertAccount(trx: Knex.Transaction, account: AccountRow): Promise<User> {
  const { id, username, email, isAdmin, passwordHash, createdAt } = account
  const { storageLimit = null, shareSizeLimit = null } = account
  const { showsName = true, emailStanding = 'assumed', directoryId = null } = account
  const { isWaiting = false } = account
  await trx('users').insert({
    id,
    username,
    email,
    is_admin: isAdmin,
    storage_limit: storageLimit,
    shows_name: showsName,
    share_size_limit: shareSizeLimit,
    created_at: createdAt,
    email_standing: emailStanding,
    directory_id: directoryId,
    is_waiting: isWaiting,
  })
  if (passwordHash !== null) {
    await trx('credentials').insert({ user_id: id, password_hash: passwordHash })
  }
  return {
    id,
    username,
    email,
    isAdmin,
    hasPassword: passwordHash !== null,
    totpVerified: false,
    hasPasskeys: false,
    storageLimit,
    shareSizeLimit,
    sharingExceptions: {},
    showsName,
    emailStanding,
    directoryId,
    isWaiting,
  }
}

/**
 * Somebody's own account. The first user becomes the administrator and needs no open
 * registration. Fails with registration_disabled.
 */
export async function registerAccount(
  trx: Knex.Transaction,
  account: Omit<AccountRow, 'isAdmin' | 'emailStanding'>,
  {
    isRegistrationOpen,
    needsApproval = false,
    emailProof = null,
  }: { isRegistrationOpen: boolean; needsApproval?: boolean; emailProof?: EmailProof | null },
): Promise<User> {
  await lockAccounts(trx)
  const isFirst = !(await hasUsers(trx))
  if (!isFirst && !isRegistrationOpen) throw new AppError('registration_disabled')
  const isOwed = emailProof !== null && !isFirst
  const user = await insertAccount(trx, {
    ...account,
    isAdmin: isFirst,
    isWaiting: needsApproval && !isFirst,
    emailStanding: isFirst ? 'verified' : isOwed ? 'owed' : 'assumed',
  })
  if (isOwed) await recordEmailProof(trx, user, emailProof)
  return user
}

/** Upper and lower case are equal. */
export async function isTaken(
  trx: Knex.Transaction,
  column: 'email' | 'username',
  value: string,
): Promise<boolean> {
  const row = await trx('users')
    .whereRaw('lower(??) = lower(?)', [column, value])
    .first<{ id: string } | undefined>('id')
  return row !== undefined
}

const UNIQUE_VIOLATION = '23505'

/** Fails with username_taken, email_taken where `write` breaks the uniqueness of either. */
export async function translateDuplicates<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown }
    if (code === UNIQUE_VIOLATION && constraint === 'users_username_unique') {
      throw new AppError('username_taken', { cause: error })
    }
    if (code === UNIQUE_VIOLATION && constraint === 'users_email_unique') {
      throw new AppError('email_taken', { cause: error })
    }
    throw error
  }
}
