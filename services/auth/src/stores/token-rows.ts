import { appendEvents, type Knex } from '@floe/db'
import type { EmailProof } from '../domain/ports.ts'
import type { User } from '../domain/user.ts'

export type TokenPurpose = 'login' | 'passkey' | 'password-reset' | 'invite'

export interface NewToken {
  hash: Buffer
  userId: string
  purpose: TokenPurpose
  createdAt: Date
  expiresAt: Date
}

export async function insertToken(trx: Knex.Transaction, token: NewToken): Promise<void> {
  await trx('one_time_tokens').insert({
    token_hash: token.hash,
    user_id: token.userId,
    purpose: token.purpose,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
  })
}

/** The change of the user's address that waits to be confirmed. */
export async function endEmailChange(
  trx: Knex.Transaction,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  await trx('email_changes')
    .where({ user_id: userId })
    .whereNull('ended_at')
    .update({ ended_at: now })
}

/** Asks the user to confirm the address there is; an earlier link ends. */
export async function recordEmailProof(
  trx: Knex.Transaction,
  { id: userId, email }: Pick<User, 'id' | 'email'>,
  { id, language, createdAt, expiresAt }: EmailProof,
): Promise<void> {
  await endEmailChange(trx, { userId, now: createdAt })
  await trx('email_changes').insert({
    id,
    user_id: userId,
    old_email: email,
    new_email: email,
    language,
    created_at: createdAt,
    expires_at: expiresAt,
  })
  await appendEvents(trx, [{ name: 'email-verification.requested', payload: { changeId: id } }])
}

/** The user's tokens that could still be used. */
export async function endTokens(
  trx: Knex.Transaction,
  { userId, purposes, now }: { userId: string; purposes: readonly TokenPurpose[]; now: Date },
): Promise<void> {
  await trx('one_time_tokens')
    .where({ user_id: userId })
    .whereIn('purpose', [...purposes])
    .whereNull('used_at')
    .update({ used_at: now })
}
