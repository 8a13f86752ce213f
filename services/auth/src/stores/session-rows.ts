import type { Knex } from '@floe/db'
import type { Entitlement, NewSession } from '../domain/ports.ts'
import { holdUser } from './rows.ts'

const USER_AGENT_MAX_LENGTH = 512

/**
 * Whether what was verified is still so; it stays so until the transaction ends, as both a deletion
 * and a new password wait for it.
 */
export async function isStillEntitled(
  trx: Knex.Transaction,
  userId: string,
  { passwordHash }: Entitlement,
): Promise<boolean> {
  if (!(await holdUser(trx, userId))) return false
  if (passwordHash === null) return true
  const unchanged = await trx('credentials')
    .where({ user_id: userId, password_hash: passwordHash })
    .forShare()
    .first<{ user_id: string } | undefined>('user_id')
  return unchanged !== undefined
}

export async function insertSession(
  trx: Knex.Transaction,
  session: NewSession,
  lastUsedAt = session.createdAt,
): Promise<void> {
  const { id, userId, createdAt, expiresAt, client, refreshTokenHash } = session
  await trx('sessions').insert({
    id,
    user_id: userId,
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: lastUsedAt,
    user_agent: client.userAgent.slice(0, USER_AGENT_MAX_LENGTH),
    client_address: client.address,
  })
  if (session.provider) {
    const { issuer, subject, sid, sealedIdToken } = session.provider
    const row = { session_id: id, issuer, subject, sid, sealed_id_token: sealedIdToken }
    await trx('provider_sessions').insert(row)
  }
  await insertRefreshToken(trx, {
    sessionId: id,
    hash: refreshTokenHash,
    parentHash: null,
    createdAt,
  })
}

export async function insertRefreshToken(
  trx: Knex.Transaction,
  token: { sessionId: string; hash: Buffer; parentHash: Buffer | null; createdAt: Date },
): Promise<void> {
  await trx('refresh_tokens').insert({
    token_hash: token.hash,
    session_id: token.sessionId,
    parent_hash: token.parentHash,
    created_at: token.createdAt,
  })
}

/** Callers narrow it down to the sessions they mean. */
export function revokeSessions(knex: Knex, now: Date) {
  return knex('sessions').whereNull('revoked_at').update({ revoked_at: now })
}
