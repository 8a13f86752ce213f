import {
  configCatalogue,
  configFormats,
  type ConfigKey,
  type ConfigVariable,
  isConfigKey,
  type SocialProvider,
  socialProviders,
} from '@floe/contracts'
import { providerOf } from '../../shared/settings/setting-places.ts'
import type { AdminVariable } from './api/admin-config.ts'

export type FieldValue = string | number | boolean

export interface ConfigField {
  key: ConfigKey
  variable: ConfigVariable
  initial: FieldValue
  /** Set by the environment of the server, and only shown here. */
  isFixed: boolean
  /** Is this a secret, which is written and never read back, and does the server hold one? */
  secret: { isSet: boolean } | null
}

function parse(variable: ConfigVariable, text: string): FieldValue {
  if (variable.type === 'number') return Number(text)
  return variable.type === 'boolean' ? text === 'true' : text
}

/** The settings of the page's catalogue that the server sent, in the catalogue's order. */
export function toFields(variables: readonly AdminVariable[]): ConfigField[] {
  const byKey = new Map(variables.map((item) => [item.key, item]))
  return Object.keys(configCatalogue)
    .filter(isConfigKey)
    .flatMap((key) => {
      const item = byKey.get(key)
      if (!item) return []
      const variable: ConfigVariable = configCatalogue[key]
      const isSecret = 'secret' in variable && variable.secret
      const text = isSecret ? '' : (item.value ?? item.defaultValue ?? String(variable.default))
      return [
        {
          key,
          variable,
          initial: parse(variable, text),
          isFixed: !item.allowEdit,
          secret: isSecret ? { isSet: item.updatedAt !== null } : null,
        },
      ]
    })
}

/** What was typed, by setting. A secret that was not touched is absent, `''` removes it. */
export type Changes = Partial<Record<ConfigKey, FieldValue>>

/** What to send: that which differs from what the server has. */
export function changesOf(
  fields: readonly ConfigField[],
  changed: Changes,
): { key: ConfigKey; value: FieldValue }[] {
  return fields.flatMap(({ key, initial, secret }) => {
    const value = changed[key]
    if (value === undefined) return []
    const isSame = secret ? value === '' && !secret.isSet : value === initial
    return isSame ? [] : [{ key, value }]
  })
}

/** Does a text look as its setting wants it? Without one the default holds. */
export function isWellFormed({ variable }: ConfigField, value: FieldValue): boolean {
  if (!('format' in variable) || variable.format === undefined || value === '') return true
  return configFormats[variable.format].safeParse(value).success
}

export interface FieldGroup {
  /** The provider these settings are about, `null` for settings of the whole category. */
  provider: SocialProvider | null
  fields: ConfigField[]
}

/** Settings as they stand together: those of a provider (`oauth.github-clientId`) apart. */
export function groupFields(fields: readonly ConfigField[]): FieldGroup[] {
  const groups = [null, ...socialProviders].map((provider) => ({
    provider,
    fields: fields.filter(({ key }) => providerOf(key) === provider),
  }))
  return groups.filter((group) => group.fields.length > 0)
}
