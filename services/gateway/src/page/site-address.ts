import { isPlaceholderUrl } from '@floe/contracts'
import type { Request } from 'express'

/** The first configured address of the site, without a slash at its end; `null` without one. */
export function findSiteAddress(configured: readonly (string | null | undefined)[]): string | null {
  const known = configured.find((address) => address && !isPlaceholderUrl(address))
  return known ? known.replace(/\/+$/, '') : null
}

/** The address this request came to, as its sender tells it. */
export function requestAddress(req: Request): string {
  const url = `${req.protocol}://${req.host ?? ''}`
  return URL.canParse(url) ? new URL(url).origin : ''
}
