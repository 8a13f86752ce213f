import { type ConfigKey, isConfigKey } from '@floe/contracts'
import type { Log } from '@floe/log'
import type { Secrets } from '@floe/secrets'
import { type ConfigChange, isSecret, type StoredValue, variableOf } from './config-values.ts'

const PURPOSE = 'config'

/** Secrets as they are stored: sealed for their own key, as base64. */
export interface ConfigSecrets {
  /** The changes as they are written: secrets sealed, the rest as it is. */
  seal(changes: readonly ConfigChange[]): ConfigChange[]
  /**
   * Stored values as they were entered. A secret that does not open, because the installation's
   * key is another now, counts as absent and is logged, once until it opens again.
   */
  open(stored: readonly StoredValue[]): StoredValue[]
}

export function createConfigSecrets({
  secrets,
  log,
}: {
  secrets: Secrets
  log: Pick<Log, 'warn'>
}): ConfigSecrets {
  const reported = new Set<ConfigKey>()

  function openValue(stored: StoredValue): StoredValue[] {
    const { key, value } = stored
    if (!isSecretKey(key)) return [stored]
    const text = secrets.open(PURPOSE, key, Buffer.from(value, 'base64'))
    if (text !== null) {
      reported.delete(key)
      return [{ ...stored, value: text }]
    }
    if (!reported.has(key)) {
      reported.add(key)
      log.warn({ key }, 'could not decrypt a stored secret with the key of this installation')
    }
    return []
  }

  return {
    seal: (changes) =>
      changes.map(({ key, value }) => ({
        key,
        value:
          value === null || !isSecretKey(key)
            ? value
            : secrets.seal(PURPOSE, key, value).toString('base64'),
      })),
    open: (stored) => stored.flatMap(openValue),
  }
}

function isSecretKey(key: string): key is ConfigKey {
  return isConfigKey(key) && isSecret(variableOf(key))
}
