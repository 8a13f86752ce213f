import { type Database, type Knex, recordAuditEvents } from '@floe/db'
import type { NewPasskey, PasskeyStore, StoredPasskey } from '../domain/passkey-ports.ts'
import { holdUser, lockUser } from './rows.ts'
import { insertSession } from './session-rows.ts'

interface PasskeyRow {
  id: string
  user_id: string
  credential_id: Buffer
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  is_synced: boolean
  may_be_copied: boolean
  created_at: Date
  last_used_at: Date | null
}

type SignIn = Parameters<PasskeyStore['signIn']>[0]
type Outcome = Awaited<ReturnType<PasskeyStore['signIn']>>

export function createPasskeyStore({ knex }: Pick<Database, 'knex'>): PasskeyStore {
  const own = ({ id, userId }: { id: string; userId: string }) =>
    knex<PasskeyRow>('passkeys').where({ id, user_id: userId })
  return {
    async list(userId) {
      const rows = await knex<PasskeyRow>('passkeys')
        .where({ user_id: userId })
        .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id' }])
      return rows.map(toPasskey)
    },

    async find(credentialId) {
      const row = await knex<PasskeyRow>('passkeys').where({ credential_id: credentialId }).first()
      return row ? toPasskey(row) : null
    },

    add: (passkey, options) => knex.transaction((trx) => add(trx, passkey, options)),

    async rename(key, name) {
      const [row] = await own(key).update({ name }).returning('*')
      return row ? toPasskey(row) : null
    },

    remove: ({ id, userId }, auditEvent) =>
      knex.transaction(async (trx) => {
        await lockUser(trx, userId)
        if ((await trx('passkeys').where({ id, user_id: userId }).delete()) === 0) return false
        // The way back to what is no longer asked for.
        await trx.raw(
          `delete from recovery_codes where user_id = :userId
             and not exists (select from passkeys where user_id = :userId)
             and not exists (select from totp_secrets
                             where user_id = :userId and verified_at is not null)`,
          { userId },
        )
        await recordAuditEvents(trx, [auditEvent])
        return true
      }),

    async signIn(signIn) {
      const trx = await knex.transaction()
      try {
        const outcome = await use(trx, signIn)
        await (outcome === 'signed_in' ? trx.commit() : trx.rollback())
        return outcome
      } catch (error) {
        await trx.rollback()
        throw error
      }
    },

    async noteCopy(id, auditEvent) {
      await knex.transaction(async (trx) => {
        await trx('passkeys').where({ id }).update({ may_be_copied: true })
        await recordAuditEvents(trx, [auditEvent])
      })
    },
  }
}

async function add(
  trx: Knex.Transaction,
  passkey: NewPasskey,
  { most, challenge, recoveryCodes, auditEvent }: Parameters<PasskeyStore['add']>[1],
): ReturnType<PasskeyStore['add']> {
  const { userId } = passkey
  // One at a time of an account, so that the count holds.
  if (!(await lockUser(trx, userId))) return 'refused'
  const others = await trx('passkeys').where({ user_id: userId }).select('id')
  if (others.length >= most) return 'too_many'
  if (!(await useChallenge(trx, { ...challenge, userId }))) return 'refused'
  const inserted = await trx('passkeys')
    .insert({
      ...{ id: passkey.id, user_id: userId, credential_id: passkey.credentialId },
      ...{ public_key: passkey.publicKey, counter: passkey.counter },
      ...{ transports: passkey.transports, name: passkey.name, is_synced: passkey.isSynced },
      created_at: passkey.createdAt,
    })
    .onConflict('credential_id')
    .ignore()
    .returning('id')
  if (inserted.length === 0) return 'refused'
  await recordAuditEvents(trx, [auditEvent])
  const earlier = await trx('recovery_codes').where({ user_id: userId }).first('code_hash')
  if (earlier !== undefined) return 'added'
  await trx('recovery_codes').insert(
    recoveryCodes.map((code_hash) => ({ user_id: userId, code_hash })),
  )
  return 'added_with_codes'
}

async function use(
  trx: Knex.Transaction,
  { passkey, counter, challenge, loginTokenHash, session, now, auditEvent }: SignIn,
): Promise<Outcome> {
  const { id, userId } = passkey
  if (!(await holdUser(trx, userId))) return 'refused'
  const isNewer = (row: Knex.QueryBuilder) =>
    row.where('counter', '<', counter).orWhere({ counter: 0 })
  const used = await trx('passkeys')
    .where({ id })
    .where(isNewer)
    .update({ counter, last_used_at: now })
  if (used !== 1) return 'copied'
  if (!(await useChallenge(trx, { ...challenge, userId }))) return 'refused'
  if (loginTokenHash !== null) {
    const token = await trx('one_time_tokens')
      .where({ token_hash: loginTokenHash, purpose: 'login', user_id: userId })
      .whereNull('used_at')
      .where('expires_at', '>', now)
      .update({ used_at: now })
    if (token !== 1) return 'token_refused'
  }
  await insertSession(trx, session)
  await recordAuditEvents(trx, [auditEvent])
  return 'signed_in'
}

/** `false` for one that was used before: an answer counts once. */
async function useChallenge(
  trx: Knex.Transaction,
  { hash, userId, now, expiresAt }: { hash: Buffer; userId: string; now: Date; expiresAt: Date },
): Promise<boolean> {
  const used = await trx('one_time_tokens')
    .insert({
      ...{ token_hash: hash, user_id: userId, purpose: 'passkey' },
      ...{ created_at: now, expires_at: expiresAt, used_at: now },
    })
    .onConflict('token_hash')
    .ignore()
    .returning('token_hash')
  return used.length === 1
}

function toPasskey(row: PasskeyRow): StoredPasskey {
  return {
    ...{ id: row.id, userId: row.user_id, name: row.name, counter: row.counter },
    ...{ credentialId: row.credential_id, publicKey: row.public_key, transports: row.transports },
    ...{ isSynced: row.is_synced, mayBeCopied: row.may_be_copied },
    ...{ createdAt: row.created_at, lastUsedAt: row.last_used_at },
  }
}
