import { type Database, type Knex, recordAuditEvents } from '@floe/db'
import { AppError } from '@floe/errors'
import { actorOf, onUser, ownAuditEvent } from '../domain/audit-events.ts'
import type { DirectoryStore, NewDirectoryUser } from '../domain/directory.ts'
import { awaitedId } from '../domain/directory-ids.ts'
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
    findUser: ({ id, dn }) => findUser(knex, [id, awaitedId(dn)]),
    join: (userId, ids) => knex.transaction((trx) => join(trx, userId, ids)),
    createUser: (account) =>
      translateDuplicates(() => knex.transaction((trx) => createUser(trx, account))),
  }
}

/** By the first of the ids that an account has. */
async function findUser(knex: Knex, ids: readonly (string | null)[]): Promise<User | null> {
  const rows: UserRow[] = await selectUsers(knex).whereIn('directory_id', ids.filter(isThere))
  const [row] = ids.flatMap((id) => rows.filter(({ directory_id: own }) => own === id))
  return row ? toUser(row) : null
}

const isThere = (id: string | null) => id !== null

async function join(
  trx: Knex.Transaction,
  userId: string,
  { awaited, lasting }: { awaited: string; lasting: string },
): Promise<void> {
  await lockAccounts(trx)
  const another = await trx('users').where({ directory_id: lasting }).first('id')
  if (another !== undefined) return
  await trx('users').where({ id: userId, directory_id: awaited }).update({ directory_id: lasting })
}

async function createUser(
  trx: Knex.Transaction,
  { directoryId, username, isUsernameMadeUp, email, isAdmin, origin, ...rest }: NewDirectoryUser,
): Promise<User> {
  await lockAccounts(trx)
  const existing = await findUser(trx, [directoryId])
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
