import { keyOfLink, type LinkedKey } from '@floe/encryption'
import { UsageError } from '../failures.ts'

export interface ShareLink {
  /** Of the site, without a slash at its end; `null` where only an id was given. */
  address: string | null
  shareId: string
  /** Of an encrypted share; `null` where the link has none. */
  key: LinkedKey | null
}

/** Reads `https://host/s/abc`, `https://host/share/abc#k=…` and `abc`. Throws a `UsageError`. */
export function readShareLink(text: string): ShareLink {
  if (/^[A-Za-z0-9_-]{3,50}$/.test(text)) return { address: null, shareId: text, key: null }
  const url = URL.canParse(text) ? new URL(text) : null
  const match = /^(.*)\/(?:s|share)\/([A-Za-z0-9_-]{3,50})\/?$/.exec(url?.pathname ?? '')
  if (url === null || !/^https?:$/.test(url.protocol) || !match) {
    throw new UsageError(`${text} is neither a link to a share nor its id.`)
  }
  const address = url.origin + (match[1] ?? '')
  return { address, shareId: match[2] ?? '', key: keyOfLink(url.href) }
}
