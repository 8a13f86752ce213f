import { type Database, type Knex, recordAuditEvents } from '@floe/db'
import { AppError } from '@floe/errors'
import { actorOf, onUser, ownAuditEvent } from '../domain/audit-events.ts'
import type { DirectoryStore, NewDirectoryUser } from '../domain/directory.ts'
import { withRandomSuffix } from '../domain/social-usernames.ts'
import type { User } from '../domain/user.ts'
import {
  hasUsers,
  insertAccount,
  isTaken,
  lockAccounts,
  translateDuplicates,
} from './account-rows.ts'
import { selectUsers, toUser, type UserRow } from './rows.ts'

export function createDirectoryStore({ knex }: Database): DirectoryStore {
  return {
    findUser: (directoryId) => findUser(knex, directoryId),
    createUser: (account) =>
      translateDuplicates(() => knex.transaction((trx) => createUser(trx, account))),
  }
}

async function findUser(knex: Knex, directoryId: string): Promise<User | null> {
  const row = await selectUsers(knex)
    .where({ directory_id: directoryId })
    .first<UserRow | undefined>()
  return row ? toUser(row) : null
}

async function createUser(
  trx: Knex.Transaction,
  { directoryId, username, isUsernameMadeUp, email, isAdmin, origin, ...rest }: NewDirectoryUser,
): Promise<User> {
  await lockAccounts(trx)
  const existing = await findUser(trx, directoryId)
  if (existing) return existing
  if (await isTaken(trx, 'email', email)) throw new AppError('directory_account_exists')
  const user = await insertAccount(trx, {
    ...rest,
    username: await findUsername(trx, { username, isMadeUp: isUsernameMadeUp }),
    email,
    directoryId,
    isAdmin: isAdmin ?? !(await hasUsers(trx)),
    passwordHash: null,
    emailStanding: 'verified',
  })
  await recordAuditEvents(trx, [
    ownAuditEvent('user.registered', user, origin, { by: 'directory' }),
    ...(isAdmin === true
      ? [{ action: 'user.promoted', actor: actorOf(user, origin), target: onUser(user) } as const]
      : []),
  ])
  return user
}

async function findUsername(
  trx: Knex.Transaction,
  { username, isMadeUp }: { username: string; isMadeUp: boolean },
): Promise<string> {
  let free = username
  while (await isTaken(trx, 'username', free)) {
    // Another name would be a second account of what is most likely the same person.
    if (!isMadeUp) throw new AppError('directory_account_exists')
    free = withRandomSuffix(username)
  }
  return free
}
