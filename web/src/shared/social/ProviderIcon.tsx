import type { SocialProvider } from '@floe/contracts'
import {
  IconBrandDiscord,
  IconBrandGithub,
  IconBrandGoogle,
  IconBrandWindows,
  IconKey,
} from '@tabler/icons-react'

const icons = {
  github: IconBrandGithub,
  google: IconBrandGoogle,
  microsoft: IconBrandWindows,
  discord: IconBrandDiscord,
  oidc: IconKey,
} satisfies Record<SocialProvider, unknown>

export function ProviderIcon({ provider }: { provider: SocialProvider }) {
  const Icon = icons[provider]
  return <Icon size={20} stroke={1.7} aria-hidden="true" />
}
