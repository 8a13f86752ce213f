import { appendEvents, type Knex, recordAuditEvents } from '@floe/db'
import { AppError } from '@floe/errors'
import { auditEventsOfChange } from '../domain/audit-events.ts'
import type { UserChanges } from '../domain/ports.ts'
import type { User } from '../domain/user.ts'
import { countOthers, lockAccounts } from './account-rows.ts'
import { lockUser, selectUsers, toUser, type UserRow } from './rows.ts'
import { revokeSessions } from './session-rows.ts'
import { endEmailChange, endTokens, type TokenPurpose } from './token-rows.ts'

export async function changeUser(
  trx: Knex.Transaction,
  userId: string,
  changes: UserChanges,
): Promise<User | null> {
  const { passwordHash, now, actor, ...columns } = changes
  const { isAdmin } = columns
  // Ahead of the user's own row, in the order of a deletion.
  if (isAdmin === false) await lockAccounts(trx)
  if (!(await lockUser(trx, userId))) return null
  const before = await findUser(trx, userId)
  const isDemoted = before.isAdmin && isAdmin === false
  if (isDemoted && (await countOthers(trx, userId)).admins === 0) throw new AppError('last_admin')

  await updateUserRow(trx, userId, columns)
  if (passwordHash !== undefined) {
    await trx('credentials')
      .insert({ user_id: userId, password_hash: passwordHash })
      .onConflict('user_id')
      .merge()
  }
  const after = await findUser(trx, userId)
  const hasMoved = after.email.toLowerCase() !== before.email.toLowerCase()
  const hasNewPassword = passwordHash !== undefined
  const purposes = endedPurposes({ hasMoved, isDemoted, hasNewPassword })
  await endTokens(trx, { userId, purposes, now })
  if (hasMoved || hasNewPassword) await endEmailChange(trx, { userId, now })
  if (isDemoted || hasNewPassword) {
    await revokeSessions(trx, now).where({ user_id: userId })
  }
  if (before.isWaiting && !after.isWaiting) {
    await appendEvents(trx, [{ name: 'user.approved', payload: { userId } }])
  }
  await recordAuditEvents(trx, auditEventsOfChange(actor, { before, after, hasNewPassword }))
  return after
}

async function findUser(trx: Knex.Transaction, userId: string): Promise<User> {
  return toUser(await selectUsers(trx).where('users.id', userId).first<UserRow>())
}

async function updateUserRow(
  trx: Knex.Transaction,
  userId: string,
  changes: Omit<UserChanges, 'passwordHash' | 'now' | 'actor'>,
): Promise<void> {
  const { username, email, isAdmin, storageLimit, shareSizeLimit } = changes
  const { showsName, emailStanding, sharingExceptions, isWaiting } = changes
  const columns = {
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { email }),
    ...(isAdmin === undefined ? {} : { is_admin: isAdmin }),
    ...(storageLimit === undefined ? {} : { storage_limit: storageLimit }),
    ...(emailStanding === undefined ? {} : { email_standing: emailStanding }),
    ...(shareSizeLimit === undefined ? {} : { share_size_limit: shareSizeLimit }),
    ...(sharingExceptions === undefined ? {} : { sharing_exceptions: sharingExceptions }),
    ...(showsName === undefined ? {} : { shows_name: showsName }),
    ...(isWaiting === undefined ? {} : { is_waiting: isWaiting }),
  }
  if (Object.keys(columns).length > 0) await trx('users').where({ id: userId }).update(columns)
}

/** A link sent to an address that is not the user's any more lets somebody else in. */
function endedPurposes({
  hasMoved,
  isDemoted,
  hasNewPassword,
}: {
  hasMoved: boolean
  isDemoted: boolean
  hasNewPassword: boolean
}): TokenPurpose[] {
  return [
    ...(hasMoved || hasNewPassword ? (['password-reset', 'invite'] as const) : []),
    ...(isDemoted || hasNewPassword ? (['login'] as const) : []),
  ]
}
