import { isIP } from 'node:net'
import type { Settings } from '@floe/contracts'
import { AppError } from '@floe/errors'

/** A site as authenticators know it (WebAuthn Level 3 §5.1.2). */
export interface RelyingParty {
  /** Its host name, to which passkeys are bound. */
  id: string
  name: string
  origin: string
}

/** Passkeys need TLS and a host name. */
export function hasRelyingParty({ 'general.appUrl': address }: Settings): boolean {
  const { hostname, protocol } = new URL(address)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isSecure && !hostname.startsWith('[') && isIP(hostname) === 0
}

/** Of the site's public address. Fails with passkeys_unavailable. */
export function relyingParty(settings: Settings): RelyingParty {
  const { 'general.appUrl': address, 'general.appName': name } = settings
  if (!hasRelyingParty(settings)) throw new AppError('passkeys_unavailable')
  const { origin, hostname } = new URL(address)
  return { id: hostname, name, origin }
}
