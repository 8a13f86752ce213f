import { isPlaceholderUrl, NEVER_ON_WIRE } from '@floe/contracts'
import { paths } from './paths.ts'

interface Site {
  appUrl: string
  origin: string
}

/**
 * An address people pass on. The configured address wins once an administrator has set one;
 * until then the address this page was reached at is the one that works.
 */
export function siteLink(path: string, { appUrl, origin }: Site): string {
  const base = appUrl === '' || isPlaceholderUrl(appUrl) ? origin : appUrl.replace(/\/+$/, '')
  return base + path
}

export function shareLink({ shareId, ...site }: Site & { shareId: string }): string {
  return siteLink(paths.shortShare(shareId), site)
}

export function reverseShareLink({ token, ...site }: Site & { token: string }): string {
  return siteLink(paths.reverseUpload(token), site)
}

/** `null` for a share that never expires, which the wire writes as the epoch. */
export function expiryOf(expiration: string): Date | null {
  const date = new Date(expiration)
  return date.getTime() === Date.parse(NEVER_ON_WIRE) ? null : date
}
