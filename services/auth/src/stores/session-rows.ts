import type { Knex } from '@floe/db'
import type { NewSession } from '../domain/ports.ts'

const USER_AGENT_MAX_LENGTH = 512

export async function insertSession(trx: Knex.Transaction, session: NewSession): Promise<void> {
  const { id, userId, createdAt, expiresAt, client, refreshTokenHash } = session
  await trx('sessions').insert({
    id,
    user_id: userId,
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: createdAt,
    user_agent: client.userAgent.slice(0, USER_AGENT_MAX_LENGTH),
    client_address: client.address,
  })
  await insertRefreshToken(trx, { sessionId: id, hash: refreshTokenHash, createdAt })
}

export async function insertRefreshToken(
  trx: Knex.Transaction,
  token: { sessionId: string; hash: Buffer; createdAt: Date },
): Promise<void> {
  await trx('refresh_tokens').insert({
    token_hash: token.hash,
    session_id: token.sessionId,
    created_at: token.createdAt,
  })
}
