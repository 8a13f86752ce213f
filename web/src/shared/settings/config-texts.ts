import { configCatalogue, type ConfigKey, languageNames, languages } from '@floe/contracts'
import type { TFunction } from 'i18next'

/** Help texts name the placeholders of messages as they are typed there. */
const placeholders = {
  url: '{url}',
  email: '{email}',
  password: '{password}',
  creator: '{creator}',
  creatorEmail: '{creatorEmail}',
  shareUrl: '{shareUrl}',
  desc: '{desc}',
  expires: '{expires}',
  name: '{name}',
} as const

/** What a setting is called and what it does. */
export function configTexts(t: TFunction, key: ConfigKey): { label: string; help: string } {
  return { label: t(`config.${key}.label`), help: t(`config.${key}.help`, placeholders) }
}

/** Its choices have names that need no translation. */
const LANGUAGE = 'general.defaultLanguage'

type ChoiceKey = {
  [K in Exclude<ConfigKey, typeof LANGUAGE>]: (typeof configCatalogue)[K] extends {
    choices: unknown
  }
    ? K
    : never
}[Exclude<ConfigKey, typeof LANGUAGE>]

type ChoiceTextKey = {
  [K in ChoiceKey]: `config.${K}.choices.${(typeof configCatalogue)[K]['choices'][number]}`
}[ChoiceKey]

function hasChoices(key: ConfigKey): key is ChoiceKey {
  return key !== LANGUAGE && 'choices' in configCatalogue[key]
}

/** What a setting can be, and what each of it is called; nothing for one that is entered freely. */
export function choicesOf(t: TFunction, key: ConfigKey): { value: string; label: string }[] {
  if (key === LANGUAGE) return languages.map((value) => ({ value, label: languageNames[value] }))
  if (!hasChoices(key)) return []
  return configCatalogue[key].choices.map((value) => ({
    value,
    // Each key with choices of its own, which the compiler does not tell of a template.
    label: t(`config.${key}.choices.${value}` as ChoiceTextKey),
  }))
}
