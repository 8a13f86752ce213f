import type { ConfigKey } from '@floe/contracts'
import type { TFunction } from 'i18next'

/** Help texts name the placeholders of messages as they are typed there. */
const placeholders = Object.fromEntries(
  ['url', 'email', 'password'].map((name) => [name, `{${name}}`]),
)

/** What a setting is called and what it does. */
export function configTexts(t: TFunction, key: ConfigKey): { label: string; help: string } {
  return { label: t(`config.${key}.label`), help: t(`config.${key}.help`, placeholders) }
}
