import { type Database, type Knex, recordAuditEvents } from '@floe/db'
import type { LoginTokenStore } from '../domain/ports.ts'
import { useFactor } from './factor-rows.ts'
import { holdUser } from './rows.ts'
import { insertSession, isStillEntitled } from './session-rows.ts'
import { insertToken } from './token-rows.ts'

interface LoginTokenRow {
  user_id: string
  expires_at: Date
  used_at: Date | null
  tries: number
}

type Login = Parameters<LoginTokenStore['complete']>[0]
type Outcome = Awaited<ReturnType<LoginTokenStore['complete']>>

export function createLoginTokenStore({ knex }: Database): LoginTokenStore {
  return {
    issue: (token, entitlement) =>
      knex.transaction(async (trx) => {
        const isEntitled = await isStillEntitled(trx, token.userId, entitlement)
        if (isEntitled) await insertToken(trx, { ...token, purpose: 'login' })
        return isEntitled
      }),

    async find(hash) {
      const row = await loginToken(knex, hash).first<LoginTokenRow | undefined>(
        'user_id',
        'expires_at',
        'used_at',
        'tries',
      )
      if (!row) return null
      const { user_id: userId, expires_at: expiresAt, used_at: usedAt, tries } = row
      return { userId, expiresAt, usedAt, tries }
    },

    async countTry(hash, { now, maxTries }) {
      const counted = await loginToken(knex, hash)
        .whereNull('used_at')
        .where('expires_at', '>', now)
        .where('tries', '<', maxTries)
        .increment('tries', 1)
      return counted === 1
    },

    complete: (login) => rollBackUnlessCompleted(knex, login),
  }
}

function loginToken(knex: Knex, hash: Buffer) {
  return knex('one_time_tokens').where({ token_hash: hash, purpose: 'login' })
}

async function rollBackUnlessCompleted(knex: Knex, login: Login): Promise<Outcome> {
  const trx = await knex.transaction()
  try {
    const outcome = await complete(trx, login)
    await (outcome === 'completed' ? trx.commit() : trx.rollback())
    return outcome
  } catch (error) {
    await trx.rollback()
    throw error
  }
}

async function complete(
  trx: Knex.Transaction,
  { tokenHash, factor, session, now, auditEvent }: Login,
): Promise<Outcome> {
  const { userId } = session
  if (!(await holdUser(trx, userId))) return 'token_refused'
  if (!(await useFactor(trx, { userId, factor, now }))) return 'code_refused'
  const used = await loginToken(trx, tokenHash)
    .where({ user_id: userId })
    .whereNull('used_at')
    .where('expires_at', '>', now)
    .update({ used_at: now })
  if (used !== 1) return 'token_refused'
  await insertSession(trx, session)
  await recordAuditEvents(trx, [auditEvent])
  return 'completed'
}
