import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { emailSchema, passwordSchema, usernameSchema } from '@floe/contracts'
import { parse } from 'yaml'
import { z } from 'zod'

export type SettingValue = string | number | boolean

const scalarSchema = z.union([z.string(), z.number(), z.boolean()])
const settingsSchema = z.record(z.string(), scalarSchema)

/** Which settings there are, and what fits them, is known to the service that keeps them. */
export function readSettings(text: string, context: z.RefinementCtx): Record<string, SettingValue> {
  try {
    const settings = settingsSchema.safeParse(JSON.parse(text))
    if (settings.success) return settings.data
  } catch {
    // Said below.
  }
  context.addIssue(
    'must be a JSON object of keys and values, for example {"general.appName":"Floe"}',
  )
  return z.NEVER
}

/** Who administrates an installation that has no account yet. */
export interface FirstUser {
  username: string
  email: string
  password: string
}

export interface SettingsFile {
  settings: Record<string, SettingValue>
  /** By the names and in the units of Pingvin Share, as its `config.yaml` has them. */
  foreignSettings: { name: string; value: string }[]
  firstUser: FirstUser | null
}

const empty: SettingsFile = { settings: {}, foreignSettings: [], firstUser: null }

export function readSettingsFile(path: string | undefined, context: z.RefinementCtx): SettingsFile {
  if (path === undefined) return empty
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    context.addIssue(`cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    return z.NEVER
  }
  if (['.yaml', '.yml'].includes(extname(path))) return readYaml(text, context)
  return { ...empty, settings: readSettings(text, context) }
}

const switchSchema = z.preprocess((value) => value === true || value === 'true', z.boolean())

/** What else it says there is not said here: the first user is an administrator. */
const initUserSchema = z.object({
  enabled: switchSchema.optional(),
  username: z.unknown().optional(),
  email: z.unknown().optional(),
  password: z.unknown().optional(),
})
const firstUserSchema = z.object({
  username: usernameSchema,
  email: emailSchema,
  password: passwordSchema,
})

const fileSchema = z.object({ initUser: initUserSchema.nullish() }).catchall(
  // A category without a line in it is null.
  z.record(z.string(), scalarSchema.nullable()).nullable(),
)

function readYaml(text: string, context: z.RefinementCtx): SettingsFile {
  const read = fileSchema.safeParse(parseYaml(text) ?? {})
  if (!read.success) {
    context.addIssue(
      'must be YAML of categories, each with names and values, for example general: { appName: Floe }',
    )
    return z.NEVER
  }
  const { initUser, ...categories } = read.data
  const foreignSettings = Object.entries(categories).flatMap(([category, values]) =>
    Object.entries(values ?? {}).flatMap(([name, value]) =>
      value === null ? [] : [{ name: `${category}.${name}`, value: String(value) }],
    ),
  )
  if (!initUser?.enabled) return { ...empty, foreignSettings }
  const user = firstUserSchema.safeParse(initUser)
  if (user.success) return { ...empty, foreignSettings, firstUser: user.data }
  for (const { path, message } of user.error.issues) {
    context.addIssue(`initUser.${path.join('.')}: ${message}`)
  }
  return z.NEVER
}

/** `false`, which no file means, for what is no YAML. */
function parseYaml(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return false
  }
}
