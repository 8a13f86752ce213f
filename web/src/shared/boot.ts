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
  const text = findBoot()?.textContent
  return text ? (JSON.parse(text) as BootData) : null
}

/**
 * What the gateway foresaw for this share, until it is taken: after the first call the visitor may
 * have been let in. `undefined` when it foresaw nothing.
 */
export function foreseenRefusal(shareId: string): ErrorCode | null | undefined {
  if (findBoot()?.dataset['shareTaken'] === 'true') return undefined
  const share = readBoot()?.share
  return share?.id === shareId ? share.refusal : undefined
}

/** For the first call alone. */
export function takeForeseenRefusal(shareId: string): ErrorCode | null | undefined {
  const refusal = foreseenRefusal(shareId)
  const boot = findBoot()
  if (boot) boot.dataset['shareTaken'] = 'true'
  return refusal
}

const findBoot = () => document.getElementById('floe-boot')
