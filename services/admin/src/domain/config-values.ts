import { search } from 'jmespath'
import {
  configCatalogue,
  configFormats,
  type ConfigFormat,
  type ConfigKey,
  type ConfigVariable,
  isConfigKey,
  lineSchema,
  type Settings,
  textSchema,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { z } from 'zod'

/** A setting as an administrator stored it: always text, `null` for "use the default". */
export interface ConfigChange {
  key: ConfigKey
  value: string | null
}

export interface StoredValue {
  key: string
  value: string
  updatedAt: Date
}

/** Defaults that the environment of this installation replaces. */
export type DefaultOverrides = Partial<Settings>

export const configKeys = Object.keys(configCatalogue).filter(isConfigKey)

export function variableOf(key: ConfigKey): ConfigVariable {
  return configCatalogue[key]
}

export function isSecret(variable: ConfigVariable): boolean {
  return 'secret' in variable && variable.secret
}

export function defaultValue(key: ConfigKey, overrides: DefaultOverrides): string {
  return String(overrides[key] ?? variableOf(key).default)
}

/** The stored value, else the default; a stored text that no longer fits counts as absent. */
export function effectiveSettings(
  stored: readonly Pick<StoredValue, 'key' | 'value'>[],
  overrides: DefaultOverrides,
): Settings {
  const values = new Map(stored.map(({ key, value }) => [key, value]))
  return Object.fromEntries(
    configKeys.map((key) => {
      const text = values.get(key)
      const value = text === undefined ? undefined : readStored(variableOf(key), text)
      return [key, value ?? overrides[key] ?? variableOf(key).default]
    }),
  ) as Settings
}

function readStored(variable: ConfigVariable, text: string): string | number | boolean | undefined {
  if (variable.type === 'boolean')
    return text === 'true' || text === 'false' ? text === 'true' : undefined
  if (variable.type === 'number') {
    const value = Number(text)
    return isInRange(variable, value) ? value : undefined
  }
  if ('choices' in variable) return variable.choices.includes(text) ? text : undefined
  return variable.format === undefined ? text : configFormats[variable.format].safeParse(text).data
}

/** What the text of a setting stands for, in the kind that its changes have. */
export function toValue(type: ConfigVariable['type'], text: string): string | number | boolean {
  if (type === 'number') return text.trim() === '' ? '' : Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

export interface RequestedChange {
  key: string
  value: string | number | boolean
}

/**
 * Checks one save as a whole; of two values for one key the last counts. Fails with
 * config_variable_not_found, config_wrong_type, config_out_of_range, validation_failed.
 */
export function checkChanges(requested: readonly RequestedChange[]): ConfigChange[] {
  const changes = new Map<ConfigKey, ConfigChange>()
  for (const { key, value } of requested) {
    if (!isConfigKey(key)) throw new AppError('config_variable_not_found', { values: { key } })
    changes.set(key, { key, value: checkValue(key, value) })
  }
  return [...changes.values()]
}

/** What does not work without mail, and must not seem to. */
const needsSmtp = [
  'general.requireEmailVerification',
  'share.recipientsOnly',
] as const satisfies readonly ConfigKey[]

/** Checks what the settings will be once these changes are made. Fails with config_needs_smtp. */
export function refuseWithoutSmtp(
  changes: readonly ConfigChange[],
  stored: readonly StoredValue[],
  overrides: DefaultOverrides,
): void {
  const changed = new Map<string, string | null>(changes.map(({ key, value }) => [key, value]))
  const after = effectiveSettings(
    [
      ...stored.filter(({ key }) => !changed.has(key)),
      ...changes.flatMap(({ key, value }) => (value === null ? [] : [{ key, value }])),
    ],
    overrides,
  )
  if (after['smtp.enabled']) return
  const key = needsSmtp.find((needy) => after[needy])
  const isConcerned = key !== undefined && (changed.has(key) || changed.has('smtp.enabled'))
  if (isConcerned) throw new AppError('config_needs_smtp', { values: { key } })
}

function checkValue(key: ConfigKey, value: string | number | boolean): string | null {
  if (value === '') return null
  const variable = variableOf(key)
  switch (variable.type) {
    case 'boolean':
      if (typeof value !== 'boolean') throw wrongType(key, variable)
      return String(value)
    case 'number':
      if (typeof value !== 'number') throw wrongType(key, variable)
      if (!isInRange(variable, value)) throw outOfRange(key)
      return String(value)
    case 'string':
      if ('choices' in variable) return checkChoice(key, String(value), variable.choices)
      return checkText(key, String(value), variable, lineSchema(0, variable.maxLength))
    case 'text':
      return checkText(key, String(value), variable, textSchema(variable.maxLength))
  }
}

function checkChoice(key: ConfigKey, text: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text
  throw new AppError('validation_failed', {
    issues: [`${key}: must be one of ${choices.join(', ')}`],
  })
}

function isInRange({ min, max }: { min: number; max: number }, value: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max
}

function checkText(
  key: ConfigKey,
  text: string,
  { maxLength, format }: { maxLength: number; format?: ConfigFormat },
  plain: z.ZodType<string, string>,
): string {
  if (text.length > maxLength) throw outOfRange(key)
  const schema = format === undefined ? plain : plain.pipe(configFormats[format])
  const result = schema.safeParse(text)
  if (result.success && key === 'oauth.oidc-rolePath') requireJmesPath(key, result.data)
  if (result.success) return result.data
  throw new AppError('validation_failed', {
    issues: result.error.issues.map(({ message }) => `${key}: ${message}`),
  })
}

/** Not among the formats that the page checks too: it needs no parser of its own. */
function requireJmesPath(key: ConfigKey, text: string): void {
  try {
    search({}, text)
  } catch (error) {
    // Others are about what there is to find, which is nothing yet.
    if (!(error instanceof Error) || !/^(Parser|Lexer)Error$/.test(error.name)) return
    const problem = error.message
    const issues = [`${key}: must be a JMESPath expression: ${problem}`]
    throw new AppError('validation_failed', { cause: error, issues })
  }
}

function wrongType(key: ConfigKey, { type }: ConfigVariable): AppError {
  return new AppError('config_wrong_type', { values: { key, type } })
}

function outOfRange(key: ConfigKey): AppError {
  return new AppError('config_out_of_range', { values: { key } })
}
