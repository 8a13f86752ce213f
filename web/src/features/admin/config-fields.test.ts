import { configCatalogue, type ConfigVariable, isConfigKey } from '@floe/contracts'
import { expect, it } from 'vitest'
import catalogue from '../../shared/i18n/locales/en.json' with { type: 'json' }
import { categories } from '../../shared/settings/setting-places.ts'
import {
  changesOf,
  type ConfigField,
  groupFields,
  isWellFormed,
  toFields,
} from './config-fields.ts'

const keys = Object.keys(configCatalogue).filter(isConfigKey)

/** The settings as the server sends them, those named by `set` with a value of their own. */
function variables(set: Record<string, string> = {}) {
  return keys.map((key) => {
    const isSecret = 'secret' in configCatalogue[key]
    return {
      key,
      value: isSecret ? null : (set[key] ?? null),
      defaultValue: String(configCatalogue[key].default),
      updatedAt: key in set ? '2026-01-01T00:00:00.000Z' : null,
      allowEdit: true,
    }
  })
}

function field(key: string, fields = toFields(variables())): ConfigField {
  const found = fields.find((candidate) => candidate.key === key)
  if (!found) throw new Error(`no field for ${key}`)
  return found
}

it('every setting stands in a category of the page', () => {
  const known: readonly string[] = categories
  expect(keys.filter((key) => !known.includes(key.split('.')[0] ?? ''))).toEqual([])
})

it('every setting has a title and says what it does, and what each of its choices is called', () => {
  const texts = catalogue.config as Record<string, Record<string, object>>
  for (const key of keys) {
    const [category = '', name = ''] = key.split('.')
    const variable: ConfigVariable = configCatalogue[key]
    // Languages are called by their own names.
    const hasTexts = 'choices' in variable && key !== 'general.defaultLanguage'
    const choices = hasTexts ? variable.choices : []
    expect(texts[category]?.[name], key).toEqual({
      label: expect.any(String),
      help: expect.any(String),
      ...(choices.length > 0 && {
        choices: Object.fromEntries(choices.map((choice) => [choice, expect.any(String)])),
      }),
    })
  }
})

it('a secret is never prefilled, and tells whether it is set', () => {
  const set = { 'smtp.password': 'hidden' }
  expect(field('smtp.password', toFields(variables(set)))).toMatchObject({
    initial: '',
    secret: { isSet: true },
  })
  expect(field('smtp.password')).toMatchObject({ initial: '', secret: { isSet: false } })
})

it('sends a secret only when one was typed, and an empty one to remove it', () => {
  const fields = toFields(variables({ 'smtp.password': 'hidden' }))
  expect(changesOf(fields, {})).toEqual([])
  expect(changesOf(fields, { 'smtp.password': 'new' })).toEqual([
    { key: 'smtp.password', value: 'new' },
  ])
  expect(changesOf(fields, { 'smtp.password': '' })).toEqual([{ key: 'smtp.password', value: '' }])
  expect(changesOf(toFields(variables()), { 'smtp.password': '' })).toEqual([])
})

it('sends what differs from what the server has, line breaks and backslashes as they are', () => {
  const message = 'Hello,\n\n{url}\\n'
  const fields = toFields(variables({ 'smtp.host': 'mail.example' }))
  expect(
    changesOf(fields, {
      'smtp.host': 'mail.example',
      'smtp.port': 465,
      'email.inviteMessage': message,
    }),
  ).toEqual([
    { key: 'email.inviteMessage', value: message },
    { key: 'smtp.port', value: 465 },
  ])
})

it.each([
  ['smtp.email', 'floe@localhost', true],
  ['smtp.email', 'nobody', false],
  ['general.appUrl', 'https://floe.example', true],
  ['general.appUrl', 'floe.example', false],
  ['oauth.microsoft-tenant', 'a b', false],
  ['general.appUrl', '', true],
  ['general.appName', 'anything', true],
])('judges whether %s can be %j', (key, value, isFine) => {
  expect(isWellFormed(field(key), value)).toBe(isFine)
})

it('puts the settings of each provider together', () => {
  const oauth = toFields(variables()).filter(({ key }) => key.startsWith('oauth.'))
  const groups = groupFields(oauth)
  expect(groups.map(({ provider }) => provider)).toEqual([
    null,
    'github',
    'google',
    'microsoft',
    'discord',
    'oidc',
  ])
  expect(groups.flatMap(({ fields }) => fields)).toHaveLength(oauth.length)
})
