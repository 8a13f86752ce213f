import { isConfigKey } from '@floe/contracts'
import { type Knex, notifyThrough } from '@floe/db'
import { isAppError } from '@floe/errors'
import type { Log } from '@floe/log'
import type { Secrets } from '@floe/secrets'
import { createConfigSecrets } from '../domain/config-secrets.ts'
import { checkChanges, type ConfigChange, toValue, variableOf } from '../domain/config-values.ts'
import { SETTINGS_CHANNEL } from '../domain/settings-cache.ts'

/** A setting of another installation, or why it is none here. */
export type ReadSetting = ConfigChange | 'unknown' | 'unusable'

/** Takes the text of a setting for what it is here, under the rules of a change of it. */
export function readSetting(key: string, text: string): ReadSetting {
  if (!isConfigKey(key)) return 'unknown'
  try {
    const [change] = checkChanges([{ key, value: toValue(variableOf(key).type, text) }])
    return change ?? 'unusable'
  } catch (error) {
    if (codes.some((code) => isAppError(error, code))) return 'unusable'
    throw error
  }
}

const codes = ['config_wrong_type', 'config_out_of_range', 'validation_failed'] as const

interface ImportSettingsOptions {
  settings: readonly ConfigChange[]
  secrets: Secrets
  log: Pick<Log, 'warn'>
  now: Date
}

/** Stores those that nobody has set here, secrets sealed; returns how many. */
export async function importSettings(
  trx: Knex.Transaction,
  { settings, secrets, log, now }: ImportSettingsOptions,
): Promise<number> {
  const rows = createConfigSecrets({ secrets, log })
    .seal(settings)
    .flatMap(({ key, value }) => (value === null ? [] : [{ key, value, updated_at: now }]))
  if (rows.length === 0) return 0
  const stored = await trx('config_values').insert(rows).onConflict('key').ignore().returning('key')
  await notifyThrough(trx, SETTINGS_CHANNEL, '')
  return stored.length
}

/** Which of these somebody has set here, as they are stored. */
export async function findSettings(
  knex: Knex,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await knex<{ key: string; value: string }>('config_values').whereIn('key', [...keys])
  return new Map(rows.map(({ key, value }) => [key, value]))
}
