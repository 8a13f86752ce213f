import type { Settings, UserView } from '@floe/contracts'

/** What the gateway writes into the page so that the first paint needs no request. */
export interface BootData {
  user: UserView | null
  settings: Partial<Settings>
  language: string
  colorScheme: 'light' | 'dark' | 'auto'
  version: string
  accessTokenExpiresAt: string | null
}

/** `null` when the page was not served by the gateway. */
export function readBoot(): BootData | null {
  const text = document.getElementById('floe-boot')?.textContent
  return text ? (JSON.parse(text) as BootData) : null
}
