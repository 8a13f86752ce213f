import type { PublicSettings } from '@floe/contracts'

/**
 * Whether this browser, at this address, can use passkeys of the site: they are bound to its public
 * address, and the server refuses others.
 */
export function hasPasskeysHere(settings: Pick<PublicSettings, 'general.appUrl'>): boolean {
  const { origin, hostname } = window.location
  // An address of numbers is no name that a passkey could be bound to.
  const isAddress = /^\[|^[\d.]+$/.test(hostname)
  const isPublic = new URL(settings['general.appUrl']).origin === origin
  return 'PublicKeyCredential' in window && window.isSecureContext && !isAddress && isPublic
}

/** Somebody closed the dialog of the browser, or another one took its place. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)
}
