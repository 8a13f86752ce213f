import type { Boot, ForeseenShare } from '@floe/contracts'

/** `null` when the page was not served by the gateway. */
export function readBoot(): Boot | null {
  const text = findBoot()?.textContent
  return text ? (JSON.parse(text) as Boot) : null
}

/**
 * What the gateway foresaw for this share, until it is taken: after the first call the visitor may
 * have been let in. `undefined` when it foresaw nothing.
 */
export function foreseen(shareId: string): ForeseenShare | undefined {
  if (findBoot()?.dataset['shareTaken'] === 'true') return undefined
  const share = readBoot()?.share
  return share?.id === shareId ? share : undefined
}

/** For the first call alone. */
export function takeForeseen(shareId: string): ForeseenShare | undefined {
  const share = foreseen(shareId)
  const boot = findBoot()
  if (boot) boot.dataset['shareTaken'] = 'true'
  return share
}

const findBoot = () => document.getElementById('floe-boot')
