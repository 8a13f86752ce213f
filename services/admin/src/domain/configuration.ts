import {
  type AuditEvent,
  type Actor,
  type ConfigKey,
  type Settings,
  settingToWire,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { ConfigSecrets } from './config-secrets.ts'
import {
  checkChanges,
  type ConfigChange,
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
  hasWorkingProvider,
}: {
  store: ConfigStore
  secrets: ConfigSecrets
  overrides: DefaultOverrides
  fixed: FixedSettings
  clock: () => Date
  /** Tells the other processes of a change; never fails. */
  announce: () => Promise<void>
  /** Whether people can get in without a password. */
  hasWorkingProvider: () => Promise<boolean>
}): Configuration {
  const startedAt = clock()
  const cache = createSettingsCache({
    load: async () => effectiveSettings(await readStored(), overrides),
    clock,
  })

  async function readStored(): Promise<StoredValue[]> {
    return withFixed(secrets.open(await store.list()), fixed, startedAt)
  }

  const listForAdmin = async (keys: readonly ConfigKey[]) =>
    keys.length === 0 ? [] : describe(keys, { stored: await readStored(), overrides, fixed })

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
      await refuseLockOut(changes, hasWorkingProvider)
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

/** As it is saved: the provider has to have been set up before. Fails with config_needs_provider. */
async function refuseLockOut(
  changes: readonly ConfigChange[],
  hasWorkingProvider: () => Promise<boolean>,
): Promise<void> {
  const locksOut = changes.some(
    ({ key, value }) => key === 'oauth.disablePassword' && value === 'true',
  )
  if (locksOut && !(await hasWorkingProvider())) throw new AppError('config_needs_provider')
}

/** Which one, and never what it is now. */
function settingChanged(key: ConfigKey, actor: Actor): AuditEvent {
  return { action: 'setting.changed', actor, target: { type: 'setting', id: key, name: key } }
}

function describe(
  keys: readonly ConfigKey[],
  {
    stored,
    overrides,
    fixed,
  }: { stored: readonly StoredValue[]; overrides: DefaultOverrides; fixed: FixedSettings },
): AdminVariable[] {
  const byKey = new Map(stored.map((row) => [row.key, row]))
  return keys.map((key) => {
    const variable = variableOf(key)
    const row = byKey.get(key)
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
