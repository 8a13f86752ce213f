import { encodeKey, parseKey, type ShareKey } from './share-key.ts'

const NAME = 'k'

/** The key stands in the fragment, which browsers send to no server. */
export function linkWithKey(link: string, key: ShareKey): string {
  const url = new URL(link)
  url.hash = `${NAME}=${encodeKey(key)}`
  return url.href
}

/** `null` where a link has no key, or what stands there is none. */
export function shareKeyOfLink(link: string): ShareKey | null {
  const fragment = new URLSearchParams(new URL(link).hash.slice(1))
  return parseKey(fragment.get(NAME) ?? '')
}
