import type { Boot, ErrorCode } from '@floe/contracts'

/** `null` when the page was not served by the gateway. */
export function readBoot(): Boot | null {
  const text = findBoot()?.textContent
  return text ? (JSON.parse(text) as Boot) : null
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
