import {
  type AuditEvent,
  type Actor,
  type ConfigKey,
  type Settings,
  settingToWire,
} from '@floe/contracts'
import type { ConfigSecrets } from './config-secrets.ts'
import {
  checkChanges,
  configKeys,
  type DefaultOverrides,
  defaultValue,
  effectiveSettings,
  isSecret,
  refuseWithoutSmtp,
  type RequestedChange,
  type StoredValue,
  variableOf,
} from './config-values.ts'
import { type FixedSettings, refuseFixed, withFixed } from './fixed-settings.ts'
import type { ConfigStore } from './ports.ts'
import { createSettingsCache } from './settings-cache.ts'

export interface PublicVariable {
  key: ConfigKey
  value: string
  type: 'string' | 'text' | 'number' | 'boolean'
  defaultValue: string
}

export interface AdminVariable {
  key: ConfigKey
  name: string
  /** `null` while the default applies, and always for a secret: `updatedAt` tells that it is set. */
  value: string | null
  defaultValue: string
  type: PublicVariable['type']
  isSecret: boolean
  /** Set by the operator: not to be changed here. */
  isFixed: boolean
  updatedAt: Date | null
}

export interface Configuration {
  /**
   * With every change made in this process, and those that other ones told of; at most a second old
   * where that was lost on its way.
   */
  settings(): Promise<Settings>
  /** Another process has changed something. */
  invalidate(): void
  listPublic(): Promise<PublicVariable[]>
  /** Empty for a category nobody knows. */
  listCategory(category: string): Promise<AdminVariable[]>
  /** Saves all or nothing and returns the changed variables. */
  change(requested: readonly RequestedChange[], actor: Actor): Promise<AdminVariable[]>
}

export function createConfiguration({
  store,
  secrets,
  overrides,
  fixed,
  clock,
  announce,
}: {
  store: ConfigStore
  secrets: ConfigSecrets
  overrides: DefaultOverrides
  fixed: FixedSettings
  clock: () => Date
  /** Tells the other processes of a change; never fails. */
  announce: () => Promise<void>
}): Configuration {
  const startedAt = clock()
  const cache = createSettingsCache({
    load: async () => effectiveSettings(await readStored(), overrides),
    clock,
  })

  async function readStored(): Promise<StoredValue[]> {
    return withFixed(secrets.open(await store.list()), fixed, startedAt)
  }

  async function listForAdmin(keys: readonly ConfigKey[]): Promise<AdminVariable[]> {
    if (keys.length === 0) return []
    const stored = new Map((await readStored()).map((row) => [row.key, row]))
    return keys.map((key) => {
      const variable = variableOf(key)
      const row = stored.get(key)
      return {
        key,
        name: key.slice(key.indexOf('.') + 1),
        value: isSecret(variable) ? null : (row?.value ?? null),
        defaultValue: defaultValue(key, overrides),
        type: variable.type,
        isSecret: isSecret(variable),
        isFixed: fixed.has(key),
        updatedAt: row?.updatedAt ?? null,
      }
    })
  }

  return {
    settings: () => cache.read(),
    invalidate: () => cache.invalidate(),

    async listPublic() {
      const settings = await cache.read()
      return configKeys
        .filter((key) => variableOf(key).public)
        .map((key) => ({
          key,
          value: settingToWire(key, String(settings[key])),
          type: variableOf(key).type,
          defaultValue: settingToWire(key, defaultValue(key, overrides)),
        }))
    },

    listCategory: (category) =>
      listForAdmin(configKeys.filter((key) => key.startsWith(`${category}.`))),

    async change(requested, actor) {
      const changes = checkChanges(requested)
      refuseFixed(changes, fixed)
      refuseWithoutSmtp(changes, await readStored(), overrides)
      const auditEvents = changes.map(({ key }) => settingChanged(key, actor))
      try {
        await store.apply(secrets.seal(changes), { now: clock(), auditEvents })
      } finally {
        // Also after a failure: a commit whose response was lost may have happened.
        cache.invalidate()
        await announce()
      }
      return listForAdmin(changes.map(({ key }) => key))
    },
  }
}

/** Which one, and never what it is now. */
function settingChanged(key: ConfigKey, actor: Actor): AuditEvent {
  return { action: 'setting.changed', actor, target: { type: 'setting', id: key, name: key } }
}
