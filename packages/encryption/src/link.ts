import { encodeKey, parseKey, type ShareKey } from './share-key.ts'

const KEY = 'k'
const PASSWORD = 'p'
const RECEIVER = 'r'

/** What a link says of the key of its share. */
export interface LinkedKey {
  shareKey: ShareKey
  /** Its password is part of what opens it. */
  hasPassword: boolean
}

/** The key stands in the fragment, which browsers send to no server. */
export function linkWithKey(
  link: string,
  key: ShareKey,
  { hasPassword = false }: Partial<Pick<LinkedKey, 'hasPassword'>> = {},
): string {
  const url = new URL(link)
  url.hash = `${KEY}=${encodeKey(key)}${hasPassword ? `&${PASSWORD}=1` : ''}`
  return url.href
}

/** `null` where a link has no key, or what stands there is none. */
export function keyOfLink(link: string): LinkedKey | null {
  const fragment = new URLSearchParams(new URL(link).hash.slice(1))
  const shareKey = parseKey(fragment.get(KEY) ?? '')
  return shareKey && { shareKey, hasPassword: fragment.get(PASSWORD) === '1' }
}

/** To send files to who has the secret of this public key, whatever the server says of it. */
export function linkToReceiver(link: string, publicKey: string): string {
  const url = new URL(link)
  url.hash = `${RECEIVER}=${publicKey}`
  return url.href
}

/** What a link says is the public key of who receives, whole or not; `null` where it says nothing. */
export function receiverOfLink(link: string): string | null {
  return new URLSearchParams(new URL(link).hash.slice(1)).get(RECEIVER)
}
