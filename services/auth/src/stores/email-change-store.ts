import { toLanguage } from '@floe/contracts'
import { appendEvents, type Database, type Knex } from '@floe/db'
import { AppError } from '@floe/errors'
import { actorOf } from '../domain/audit-events.ts'
import type { EmailChangeStore, EmailProof, NewEmailChange } from '../domain/ports.ts'
import type { SessionOrigin, User } from '../domain/user.ts'
import { translateDuplicates } from './account-rows.ts'
import { lockUser, selectUsers, toUser, type UserRow } from './rows.ts'
import { endEmailChange, recordEmailProof } from './token-rows.ts'
import { changeUser } from './user-changes.ts'

interface EmailChangeRow {
  id: string
  old_email: string
  new_email: string
  language: string | null
}

export function createEmailChangeStore({ knex }: Database): EmailChangeStore {
  return {
    request: (change) => translateDuplicates(() => knex.transaction((trx) => request(trx, change))),

    requestProof: (userId, proof) => knex.transaction((trx) => requestProof(trx, userId, proof)),

    async find(id) {
      const row = await knex('email_changes')
        .where({ id })
        .first<EmailChangeRow | undefined>('id', 'old_email', 'new_email', 'language')
      if (!row) return null
      return {
        id: row.id,
        oldEmail: row.old_email,
        newEmail: row.new_email,
        language: toLanguage(row.language),
      }
    },

    async findPending(userId, now) {
      const row = await pending(knex, now)
        .where({ user_id: userId })
        // A proof of the address there is changes none.
        .whereRaw('new_email <> old_email')
        .first<{ new_email: string } | undefined>('new_email')
      return row?.new_email ?? null
    },

    async attachLink(id, { tokenHash, now }) {
      const attached = await pending(knex, now).where({ id }).update({ token_hash: tokenHash })
      return attached === 1
    },

    confirm: (link) => translateDuplicates(() => knex.transaction((trx) => confirm(trx, link))),

    async purge(expiredBefore) {
      await knex('email_changes').where('expires_at', '<', expiredBefore).delete()
    },
  }
}

function pending(knex: Knex, now: Date) {
  return knex('email_changes').whereNull('ended_at').where('expires_at', '>', now)
}

async function request(trx: Knex.Transaction, change: NewEmailChange): Promise<User | null> {
  const { id, userId, newEmail, language, createdAt, expiresAt, ...rest } = change
  const { username, showsName, actor } = rest
  const user = await changeUser(trx, userId, { username, showsName, now: createdAt, actor })
  if (!user) return null
  const owner = await trx('users').whereRaw('lower(email) = lower(?)', [newEmail]).first('id')
  if (owner !== undefined) throw new AppError('email_taken')
  await endEmailChange(trx, { userId, now: createdAt })
  await trx('email_changes').insert({
    id,
    user_id: userId,
    old_email: user.email,
    new_email: newEmail,
    language,
    created_at: createdAt,
    expires_at: expiresAt,
  })
  await appendEvents(trx, [{ name: 'email-change.requested', payload: { changeId: id } }])
  return user
}

async function requestProof(
  trx: Knex.Transaction,
  userId: string,
  proof: EmailProof,
): Promise<boolean> {
  if (!(await lockUser(trx, userId))) return false
  const user = toUser(await selectUsers(trx).where('users.id', userId).first<UserRow>())
  if (user.emailStanding !== 'owed') return false
  await recordEmailProof(trx, user, proof)
  return true
}

async function confirm(
  trx: Knex.Transaction,
  { tokenHash, now, origin }: { tokenHash: Buffer; now: Date; origin: SessionOrigin },
): Promise<boolean> {
  const find = () =>
    pending(trx, now)
      .where({ token_hash: tokenHash })
      .first<{ user_id: string; new_email: string } | undefined>('user_id', 'new_email')
  const change = await find()
  if (!change || !(await lockUser(trx, change.user_id))) return false
  // Waiting for the lock, another request may have used it, or a new password ended it.
  if (!(await find())) return false
  const { user_id: userId, new_email: email } = change
  const user = toUser(await selectUsers(trx).where('users.id', userId).first<UserRow>())
  await changeUser(trx, userId, {
    email,
    emailStanding: 'verified',
    now,
    actor: actorOf(user, origin),
  })
  await endEmailChange(trx, { userId, now })
  return true
}
