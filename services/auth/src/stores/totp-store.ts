import { type Database, type Knex, recordAuditEvents } from '@floe/db'
import type { TotpStore } from '../domain/ports.ts'
import { useFactor } from './factor-rows.ts'
import { holdUser } from './rows.ts'

interface TotpRow {
  sealed_secret: Buffer
  verified_at: Date | null
  last_time_step: number | null
}

export function createTotpStore({ knex }: Database): TotpStore {
  return {
    async find(userId) {
      const row = await knex('totp_secrets')
        .where({ user_id: userId })
        .first<TotpRow | undefined>('sealed_secret', 'verified_at', 'last_time_step')
      if (!row) return null
      return {
        sealedSecret: row.sealed_secret,
        isVerified: row.verified_at !== null,
        lastTimeStep: row.last_time_step,
      }
    },

    async begin(userId, sealedSecret) {
      const { rows } = await knex.raw<{ rows: unknown[] }>(
        `insert into totp_secrets (user_id, sealed_secret)
         select id, ? from users where id = ?
         on conflict (user_id) do update set sealed_secret = excluded.sealed_secret
           where totp_secrets.verified_at is null
         returning user_id`,
        [sealedSecret, userId],
      )
      return rows.length === 1
    },

    verify: ({ userId, sealedSecret, timeStep, now, auditEvent }) =>
      knex.transaction(async (trx) => {
        const verified = await trx('totp_secrets')
          .where({ user_id: userId, sealed_secret: sealedSecret })
          .whereNull('verified_at')
          .update({ verified_at: now, last_time_step: timeStep })
        if (verified === 1) await recordAuditEvents(trx, [auditEvent])
        return verified === 1
      }),

    use: (userId, factor, now) =>
      knex.transaction(async (trx) => {
        await lockTotp(trx, userId)
        return useFactor(trx, { userId, factor, now })
      }),

    remove: (userId, { factor, now, auditEvent }) =>
      knex.transaction(async (trx) => {
        await lockTotp(trx, userId)
        if (!(await useFactor(trx, { userId, factor, now }))) return false
        await trx('totp_secrets').where({ user_id: userId }).delete()
        // With passkeys they are still the way back.
        await trx('recovery_codes')
          .where({ user_id: userId })
          .whereNotExists(trx('passkeys').where({ user_id: userId }))
          .delete()
        await recordAuditEvents(trx, [auditEvent])
        return true
      }),

    replaceRecoveryCodes: (userId, change) =>
      knex.transaction((trx) => replaceRecoveryCodes(trx, userId, change)),
  }
}

/** Is a code asked for at sign-in? */
async function lockTotp(trx: Knex.Transaction, userId: string): Promise<boolean> {
  await holdUser(trx, userId)
  const row = await trx('totp_secrets')
    .where({ user_id: userId })
    .whereNotNull('verified_at')
    .forUpdate()
    .first('user_id')
  return row !== undefined
}

async function replaceRecoveryCodes(
  trx: Knex.Transaction,
  userId: string,
  { factor, codeHashes, now, auditEvent }: Parameters<TotpStore['replaceRecoveryCodes']>[1],
): ReturnType<TotpStore['replaceRecoveryCodes']> {
  const hasTotp = await lockTotp(trx, userId)
  const passkey = await trx('passkeys').where({ user_id: userId }).first('id')
  if (!hasTotp && passkey === undefined) return 'not_enabled'
  const earlier = await trx('recovery_codes').where({ user_id: userId }).first('code_hash')
  if (factor === null && earlier !== undefined && hasTotp) return 'code_refused'
  if (factor !== null && !(await useFactor(trx, { userId, factor, now }))) return 'code_refused'
  await trx('recovery_codes').where({ user_id: userId }).delete()
  await trx('recovery_codes').insert(
    codeHashes.map((code_hash) => ({ user_id: userId, code_hash })),
  )
  await recordAuditEvents(trx, [auditEvent])
  return 'replaced'
}
