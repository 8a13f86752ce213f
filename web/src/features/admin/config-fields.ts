import { configCatalogue, type ConfigKey, type ConfigVariable, isConfigKey } from '@floe/contracts'
import type { AdminVariable } from './api/admin-config.ts'

export const categories = ['general', 'share', 'email', 'smtp'] as const
export type Category = (typeof categories)[number]

export function isCategory(text: string): text is Category {
  return categories.some((category) => category === text)
}

export type FieldValue = string | number | boolean

export interface ConfigField {
  key: ConfigKey
  variable: ConfigVariable
  isSecret: boolean
  initial: FieldValue
}

function parse(variable: ConfigVariable, text: string): FieldValue {
  if (variable.type === 'number') return Number(text)
  return variable.type === 'boolean' ? text === 'true' : text
}

/** The settings of the page's catalogue that the server answered, in the catalogue's order. */
export function toFields(answer: readonly AdminVariable[]): ConfigField[] {
  const byKey = new Map(answer.map((item) => [item.key, item]))
  return Object.keys(configCatalogue)
    .filter(isConfigKey)
    .flatMap((key) => {
      const item = byKey.get(key)
      if (!item) return []
      const variable: ConfigVariable = configCatalogue[key]
      // A secret is written, never read back.
      const isSecret = 'secret' in variable && variable.secret
      const text = isSecret ? '' : (item.value ?? item.defaultValue ?? String(variable.default))
      return [{ key, variable, isSecret, initial: parse(variable, text) }]
    })
}
