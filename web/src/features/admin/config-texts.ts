import type { ConfigKey } from '@floe/contracts'
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
