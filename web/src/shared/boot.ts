import type { ErrorCode, Settings, UserView } from '@floe/contracts'

/** What the gateway writes into the page so that the first paint needs no request. */
export interface BootData {
  user: UserView | null
  settings: Partial<Settings>
  /** The version of the logo that an administrator has set. */
  logo: string | null
  /** Whether the welcome of the first run is over. */
  isSetUp: boolean
  language: string
  colorScheme: 'light' | 'dark' | 'auto'
  version: string
  accessTokenExpiresAt: string | null
  /** On a share's page: why the API would refuse it to this visitor. */
  share?: { id: string; refusal: ErrorCode | null }
}

/** `null` when the page was not served by the gateway. */
export function readBoot(): BootData | null {
  const text = document.getElementById('floe-boot')?.textContent
  return text ? (JSON.parse(text) as BootData) : null
}

/**
 * What the gateway foresaw for this share, once: after the first call the visitor may have been
 * let in. `undefined` when it foresaw nothing.
 */
export function takeForeseenRefusal(shareId: string): ErrorCode | null | undefined {
  const element = document.getElementById('floe-boot')
  if (!element || element.dataset['shareTaken'] === 'true') return undefined
  element.dataset['shareTaken'] = 'true'
  const share = readBoot()?.share
  return share?.id === shareId ? share.refusal : undefined
}
