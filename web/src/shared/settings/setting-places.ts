import { type ConfigKey, type SocialProvider, socialProviders } from '@floe/contracts'

/** The pages of the configuration. */
export const categories = [
  'general',
  'share',
  'email',
  'smtp',
  'oauth',
  'ldap',
  'antivirus',
  'legal',
  'appearance',
  'notices',
] as const
export type Category = (typeof categories)[number]

export function isCategory(text: string): text is Category {
  return categories.some((category) => category === text)
}

/** The page that a setting is on; a key begins with it. */
export function categoryOf(key: ConfigKey): Category | null {
  return categories.find((category) => key.startsWith(`${category}.`)) ?? null
}

/** The provider that a setting is about, such as `oauth.github-clientId`. */
export function providerOf(key: ConfigKey): SocialProvider | null {
  return socialProviders.find((provider) => key.startsWith(`oauth.${provider}-`)) ?? null
}
