import { type ConfigKey, isConfigKey } from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import {
  checkChanges,
  type ConfigChange,
  type StoredValue,
  toValue,
  variableOf,
} from './config-values.ts'

/** Settings that the operator fixed; a value that is `null` fixes the default. */
export type FixedSettings = ReadonlyMap<ConfigKey, string | null>

export interface GivenSettings {
  settings: Readonly<Record<string, string | number | boolean>>
  /** As texts of another product. */
  foreignSettings: readonly { key: string; value: string }[]
}

/** Fails as a change of them would, which keeps the service from starting. */
export function fixSettings(
  settings: Readonly<Record<string, string | number | boolean>>,
): FixedSettings {
  const requested = Object.entries(settings).map(([key, value]) => ({ key, value }))
  return new Map(checkChanges(requested).map(({ key, value }) => [key, value]))
}

/**
 * Settings that were written as texts for another product. What it has and this one has not is
 * told; a value that is none here keeps the service from starting.
 */
export function fixForeignSettings(
  settings: readonly { key: string; value: string }[],
  onUnknown: (keys: readonly string[]) => void,
): FixedSettings {
  const unknown = settings.filter(({ key }) => !isConfigKey(key)).map(({ key }) => key)
  if (unknown.length > 0) onUnknown(unknown)
  const known = settings.flatMap(({ key, value }) =>
    isConfigKey(key) ? [[key, toValue(variableOf(key).type, value)] as const] : [],
  )
  return fixSettings(Object.fromEntries(known))
}

/** What keeps the service from starting with these settings, one sentence each. */
export function findSettingProblems({ settings, foreignSettings }: GivenSettings): string[] {
  const own = Object.entries(settings).map(
    ([key, value]) =>
      () =>
        fixSettings({ [key]: value }),
  )
  const foreign = foreignSettings.map((one) => () => fixForeignSettings([one], () => undefined))
  return [...own, ...foreign].flatMap(problemsOf)
}

function problemsOf(fix: () => FixedSettings): readonly string[] {
  try {
    fix()
    return []
  } catch (error) {
    if (!isAppError(error)) throw error
    return error.issues ?? [error.message]
  }
}

/** The effective values: the fixed one, else the stored one. */
export function withFixed(
  stored: readonly StoredValue[],
  fixed: FixedSettings,
  since: Date,
): StoredValue[] {
  const keys = new Set<string>(fixed.keys())
  const rest = stored.filter(({ key }) => !keys.has(key))
  const set = [...fixed].flatMap(([key, value]) =>
    value === null ? [] : [{ key, value, updatedAt: since }],
  )
  return [...rest, ...set]
}

/** Throws config_fixed. */
export function refuseFixed(changes: readonly ConfigChange[], fixed: FixedSettings): void {
  for (const { key } of changes) {
    if (fixed.has(key)) throw new AppError('config_fixed', { values: { key } })
  }
}
