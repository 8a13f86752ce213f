import type { ConfigKey } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { checkChanges, type ConfigChange, type StoredValue } from './config-values.ts'

/** Settings that the operator fixed; a value that is `null` fixes the default. */
export type FixedSettings = ReadonlyMap<ConfigKey, string | null>

/** Fails as a change of them would, which keeps the service from starting. */
export function fixSettings(
  settings: Readonly<Record<string, string | number | boolean>>,
): FixedSettings {
  const requested = Object.entries(settings).map(([key, value]) => ({ key, value }))
  return new Map(checkChanges(requested).map(({ key, value }) => [key, value]))
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
