import { isPlaceholderUrl, NEVER_ON_WIRE } from '@floe/contracts'
import { paths } from './paths.ts'

/**
 * The address people pass on. The configured address wins once an administrator has set one;
 * until then the address this page was reached at is the one that works.
 */
export function shareLink({
  shareId,
  appUrl,
  origin,
}: {
  shareId: string
  appUrl: string
  origin: string
}): string {
  const base = appUrl === '' || isPlaceholderUrl(appUrl) ? origin : appUrl.replace(/\/+$/, '')
  return base + paths.shortShare(shareId)
}

/** `null` for a share that never expires, which the wire writes as the epoch. */
export function expiryOf(expiration: string): Date | null {
  const date = new Date(expiration)
  return date.getTime() === Date.parse(NEVER_ON_WIRE) ? null : date
}
