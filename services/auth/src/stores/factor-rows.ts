import type { Knex } from '@floe/db'
import type { SecondFactor } from '../domain/ports.ts'

/**
 * Uses the factor up in one statement: of two requests with one code one gets it. `false` when it
 * was used before, or TOTP was switched off meanwhile.
 */
export async function useFactor(
  trx: Knex.Transaction,
  { userId, factor, now }: { userId: string; factor: SecondFactor; now: Date },
): Promise<boolean> {
  if ('timeStep' in factor) return useTimeStep(trx, userId, factor.timeStep)
  // Held, so that nobody replaces the codes or switches TOTP off in between.
  await trx('totp_secrets').where({ user_id: userId }).forShare().first('user_id')
  const used = await trx('recovery_codes')
    .where({ user_id: userId, code_hash: factor.codeHash })
    .whereNull('used_at')
    .update({ used_at: now })
  return used === 1
}

async function useTimeStep(
  trx: Knex.Transaction,
  userId: string,
  timeStep: number,
): Promise<boolean> {
  const used = await trx('totp_secrets')
    .where({ user_id: userId })
    .whereNotNull('verified_at')
    .where((earlier) =>
      earlier.whereNull('last_time_step').orWhere('last_time_step', '<', timeStep),
    )
    .update({ last_time_step: timeStep })
  return used === 1
}
