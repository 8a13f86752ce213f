import { toLanguage } from '@floe/contracts'
import { appendEvents, type Database, type Knex, recordAuditEvents } from '@floe/db'
import { ownAuditEvent } from '../domain/audit-events.ts'
import type { LinkStore, NewLink } from '../domain/ports.ts'
import type { User } from '../domain/user.ts'
import { lockUser, selectUsers, toUser, type UserRow } from './rows.ts'
import { revokeSessions } from './session-rows.ts'
import { endEmailChange, endTokens, insertToken } from './token-rows.ts'

type Reset = Parameters<LinkStore['resetPassword']>[0]
type Recent = Parameters<LinkStore['issue']>[1]

export function createLinkStore({ knex }: Database): LinkStore {
  return {
    recordRequest: ({ id, email, language, createdAt }, requestId) =>
      knex.transaction(async (trx) => {
        await trx('password_reset_requests').insert({
          id,
          email,
          language,
          created_at: createdAt,
        })
        const requested = { name: 'password-reset.requested', payload: { requestId: id } } as const
        await appendEvents(trx, [requested], requestId)
      }),

    async findRequest(id) {
      const row = await knex('password_reset_requests')
        .where({ id })
        .first<{ email: string; language: string | null } | undefined>('email', 'language')
      return row ? { email: row.email, language: toLanguage(row.language) } : null
    },

    async forgetRequest(id) {
      await knex('password_reset_requests').where({ id }).delete()
    },

    issue: (link, recent) => knex.transaction((trx) => issue(trx, link, recent)),

    async withdraw(hash) {
      await knex('one_time_tokens').where({ token_hash: hash }).delete()
    },

    async isOpen(hash, now) {
      return (await openLink(knex, hash, now).first('user_id')) !== undefined
    },

    resetPassword: (reset) => knex.transaction((trx) => resetPassword(trx, reset)),

    async purge({ endedBefore, requestedBefore }) {
      const ended = knex('one_time_tokens')
        .where('expires_at', '<', endedBefore)
        .orWhere('used_at', '<', endedBefore)
        .forUpdate()
        .skipLocked()
        .select('token_hash')
      await knex('one_time_tokens').whereIn('token_hash', ended).delete()
      await knex('password_reset_requests').where('created_at', '<', requestedBefore).delete()
    },
  }
}

async function issue(trx: Knex.Transaction, link: NewLink, recent: Recent): Promise<boolean> {
  // One at a time: two at once would each stay below the limit.
  if (!(await lockUser(trx, link.userId))) return false
  if (recent) {
    const sent = await trx('one_time_tokens')
      .where({ user_id: link.userId, purpose: link.purpose })
      .where('created_at', '>', recent.recentSince)
      .first<{ count: number }>(trx.raw('count(*) as count'))
    if (sent.count >= recent.maxRecent) return false
  }
  await insertToken(trx, link)
  return true
}

function openLink(knex: Knex, hash: Buffer, now: Date) {
  return knex('one_time_tokens')
    .where({ token_hash: hash })
    .whereIn('purpose', ['password-reset', 'invite'])
    .whereNull('used_at')
    .where('expires_at', '>', now)
}

async function resetPassword(
  trx: Knex.Transaction,
  { tokenHash, passwordHash, now, origin }: Reset,
): Promise<User | null> {
  const link = await openLink(trx, tokenHash, now).first<{ user_id: string } | undefined>('user_id')
  if (!link || !(await lockUser(trx, link.user_id))) return null
  const userId = link.user_id
  // Waiting for the lock, another request may have used it.
  if ((await openLink(trx, tokenHash, now).first('user_id')) === undefined) return null
  const user = toUser(await selectUsers(trx).where('users.id', userId).first<UserRow>())
  await trx('credentials')
    .insert({ user_id: userId, password_hash: passwordHash })
    .onConflict('user_id')
    .merge()
  // The link was sent to the address.
  await trx('users').where({ id: userId }).update({ email_standing: 'verified' })
  await endTokens(trx, { userId, purposes: ['password-reset', 'invite', 'login'], now })
  await endEmailChange(trx, { userId, now })
  await revokeSessions(trx, now).where({ user_id: userId })
  await recordAuditEvents(trx, [ownAuditEvent('password.reset', user, origin)])
  return user
}
