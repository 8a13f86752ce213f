import type { ConfigKey } from '@floe/contracts'
import type { TFunction } from 'i18next'

/** What a setting is called and what it does. A setting without texts is called by its key. */
export function configTexts(t: TFunction, key: ConfigKey): { label: string; help: string } {
  return {
    label: t(`config.${key}.label`, { defaultValue: key }),
    help: t(`config.${key}.help`, { defaultValue: '' }),
  }
}
