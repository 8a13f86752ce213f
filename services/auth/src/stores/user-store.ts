import { appendEvents, type Database, type Knex, recordAuditEvents } from '@floe/db'
import { AppError } from '@floe/errors'
import { onUser, ownAuditEvent } from '../domain/audit-events.ts'
import type { NewUser, UserStore } from '../domain/ports.ts'
import type { User } from '../domain/user.ts'
import {
  countOthers,
  hasUsers,
  insertAccount,
  lockAccounts,
  registerAccount,
  translateDuplicates,
} from './account-rows.ts'
import { selectUsers, toUser, type UserRow } from './rows.ts'
import { insertSession } from './session-rows.ts'
import { listAdministrators, listUsers, matchingUsers } from './user-list.ts'
import { changeUser } from './user-changes.ts'

export function createUserStore({ knex }: Database): UserStore {
  return {
    hasUsers: () => hasUsers(knex),

    createAccount: ({ session, ...account }, options) =>
      translateDuplicates(() =>
        knex.transaction(async (trx) => {
          const user = await registerAccount(trx, account, options)
          // Nobody is signed in by an account that waits.
          if (!user.isWaiting) await insertSession(trx, session)
          await recordAuditEvents(trx, [
            ownAuditEvent('user.registered', user, session.client, { by: 'password' }),
          ])
          return user
        }),
      ),

    addUser: (user) => translateDuplicates(() => knex.transaction((trx) => addUser(trx, user))),

    async findLogin(identifier) {
      // PostgreSQL cannot hold NUL in text, so no account is called that.
      if (identifier.includes('\u0000')) return null
      const column = identifier.includes('@') ? 'email' : 'username'
      const row = await selectUsers(knex)
        .select('credentials.password_hash')
        .whereRaw('lower(??) = lower(?)', [`users.${column}`, identifier])
        .first<(UserRow & { password_hash: string | null }) | undefined>()
      if (!row) return null
      return { user: toUser(row), passwordHash: row.password_hash, matched: row[column] }
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

    listUsers: (query) => listUsers(knex, query),
    listAdministrators: () => listAdministrators(knex),

    async countUsers() {
      const [row] = await knex('users').count<{ count: string | number }[]>('* as count')
      return Number(row?.count ?? 0)
    },

    async searchUsers(text, limit) {
      const rows = await matchingUsers(knex, text).limit(limit).select<{ id: string }[]>('id')
      return rows.map(({ id }) => id)
    },

    changeUser: (userId, changes) =>
      translateDuplicates(() => knex.transaction((trx) => changeUser(trx, userId, changes))),

    async addPassword(userId, passwordHash) {
      await knex.raw(
        `insert into credentials (user_id, password_hash)
         select id, ? from users where id = ?
         on conflict (user_id) do nothing`,
        [passwordHash, userId],
      )
    },

    async replacePasswordHash({ userId, from, to }) {
      const changed = await knex('credentials')
        .where({ user_id: userId, password_hash: from })
        .update({ password_hash: to })
      return changed === 1
    },

    deleteUser: (userId, options) => knex.transaction((trx) => deleteUser(trx, userId, options)),
  }
}

async function addUser(
  trx: Knex.Transaction,
  { requestId, actor, language, ...account }: NewUser,
): Promise<User> {
  const user = await insertAccount(trx, { ...account, emailStanding: 'verified' })
  await recordAuditEvents(trx, [
    { action: 'user.created', actor, target: onUser(user) },
    ...(user.isAdmin ? [{ action: 'user.promoted', actor, target: onUser(user) } as const] : []),
  ])
  if (!user.hasPassword) {
    const payload = { userId: user.id, ...(language !== null && { language }) }
    const invited = { name: 'user.invited', payload } as const
    await appendEvents(trx, [invited], requestId)
  }
  return user
}

async function deleteUser(
  trx: Knex.Transaction,
  userId: string,
  { requestId, mayBeLastUser, actor, language }: Parameters<UserStore['deleteUser']>[1],
): Promise<User | null> {
  await lockAccounts(trx)
  const row = await selectUsers(trx).where('users.id', userId).first<UserRow | undefined>()
  if (!row) return null
  if (row.is_admin) {
    const others = await countOthers(trx, userId)
    const isAlone = others.users === 0 && mayBeLastUser
    if (others.admins === 0 && !isAlone) throw new AppError('last_admin')
  }
  await trx('users').where({ id: userId }).delete()
  const user = toUser(row)
  const { username, email, emailStanding } = user
  // An address that was never proven may be that of somebody else.
  const isTold = emailStanding !== 'owed'
  await appendEvents(
    trx,
    [
      { name: 'user.deleted', payload: { userId } },
      ...(isTold
        ? [{ name: 'farewell.owed', payload: { userId, username, email, language } } as const]
        : []),
    ],
    requestId,
  )
  await recordAuditEvents(trx, [{ action: 'user.deleted', actor, target: onUser(user) }])
  return user
}
