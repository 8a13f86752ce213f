import { configCatalogue, type ConfigKey } from '@floe/contracts'
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

type ChoiceKey = {
  [K in ConfigKey]: (typeof configCatalogue)[K] extends { choices: unknown } ? K : never
}[ConfigKey]

type ChoiceTextKey = {
  [K in ChoiceKey]: `config.${K}.choices.${(typeof configCatalogue)[K]['choices'][number]}`
}[ChoiceKey]

function hasChoices(key: ConfigKey): key is ChoiceKey {
  return 'choices' in configCatalogue[key]
}

/** What a setting can be, and what each of it is called; nothing for one that is entered freely. */
export function choicesOf(t: TFunction, key: ConfigKey): { value: string; label: string }[] {
  if (!hasChoices(key)) return []
  return configCatalogue[key].choices.map((value) => ({
    value,
    // Each key with choices of its own, which the compiler does not tell of a template.
    label: t(`config.${key}.choices.${value}` as ChoiceTextKey),
  }))
}
