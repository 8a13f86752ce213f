import { advisoryLockClass, appendEvents, type Database, type Knex } from '@floe/db'
import { AppError } from '@floe/errors'
import type { NewAccount, UserChanges, UserStore } from '../domain/ports.ts'
import type { User } from '../domain/user.ts'
import { selectUsers, toUser, type UserRow } from './rows.ts'
import { insertSession } from './session-rows.ts'

export function createUserStore({ knex }: Database): UserStore {
  return {
    hasUsers: () => hasUsers(knex),

    createAccount: (account, { isRegistrationOpen }) =>
      translateDuplicates(() =>
        knex.transaction((trx) => createAccount(trx, account, isRegistrationOpen)),
      ),

    async findLogin(identifier) {
      // PostgreSQL cannot hold NUL in text, so no account is called that.
      if (identifier.includes('\u0000')) return null
      const column = identifier.includes('@') ? 'users.email' : 'users.username'
      const row = await selectUsers(knex)
        .select('credentials.password_hash')
        .whereRaw('lower(??) = lower(?)', [column, identifier])
        .first<(UserRow & { password_hash: string | null }) | undefined>()
      return row ? { user: toUser(row), passwordHash: row.password_hash } : null
    },

    async findPasswordHash(userId) {
      const row = await knex('credentials')
        .where({ user_id: userId })
        .first<{ password_hash: string } | undefined>('password_hash')
      return row?.password_hash ?? null
    },

    async findUsers(ids) {
      const rows = await selectUsers(knex).whereRaw('users.id = any(?::uuid[])', [[...ids]])
      return rows.map(toUser)
    },

    updateUser: (userId, changes) => translateDuplicates(() => updateUser(knex, userId, changes)),

    async replacePasswordHash({ userId, from, to }) {
      const changed = await knex('credentials')
        .where({ user_id: userId, password_hash: from })
        .update({ password_hash: to })
      return changed === 1
    },

    deleteUser: (userId, requestId) =>
      knex.transaction((trx) => deleteUser(trx, userId, requestId)),
  }
}

/** Whoever decides by the number of users or administrators does so alone. */
async function lockAccounts(trx: Knex.Transaction): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?, 0)', [advisoryLockClass.accounts])
}

async function hasUsers(knex: Knex): Promise<boolean> {
  return (await knex('users').first('id')) !== undefined
}

async function createAccount(
  trx: Knex.Transaction,
  { id, username, email, passwordHash, createdAt, session }: NewAccount,
  isRegistrationOpen: boolean,
): Promise<User> {
  await lockAccounts(trx)
  const isFirst = !(await hasUsers(trx))
  if (!isFirst && !isRegistrationOpen) throw new AppError('registration_disabled')
  await trx('users').insert({ id, username, email, is_admin: isFirst, created_at: createdAt })
  await trx('credentials').insert({ user_id: id, password_hash: passwordHash })
  await insertSession(trx, session)
  return { id, username, email, isAdmin: isFirst, hasPassword: true, totpVerified: false }
}

async function updateUser(
  knex: Knex,
  userId: string,
  { username, email }: UserChanges,
): Promise<User | null> {
  const changes = {
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { email }),
  }
  if (Object.keys(changes).length > 0) await knex('users').where({ id: userId }).update(changes)
  const row = await selectUsers(knex).where('users.id', userId).first<UserRow | undefined>()
  return row ? toUser(row) : null
}

async function deleteUser(
  trx: Knex.Transaction,
  userId: string,
  requestId: string | null,
): Promise<User | null> {
  await lockAccounts(trx)
  const row = await selectUsers(trx).where('users.id', userId).first<UserRow | undefined>()
  if (!row) return null
  if (row.is_admin && (await wouldLeaveUsersAlone(trx, userId))) throw new AppError('last_admin')
  await trx('users').where({ id: userId }).delete()
  await appendEvents(trx, [{ name: 'user.deleted', payload: { userId } }], requestId)
  return toUser(row)
}

async function wouldLeaveUsersAlone(trx: Knex.Transaction, adminId: string): Promise<boolean> {
  const others = await trx('users')
    .whereNot({ id: adminId })
    .first<{ users: number; admins: number }>(
      trx.raw('count(*) as users'),
      trx.raw('count(*) filter (where is_admin) as admins'),
    )
  return others.users > 0 && others.admins === 0
}

const UNIQUE_VIOLATION = '23505'

async function translateDuplicates<T>(write: () => Promise<T>): Promise<T> {
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
