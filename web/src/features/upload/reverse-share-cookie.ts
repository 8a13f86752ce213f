import { REVERSE_SHARE_COOKIE } from '@floe/contracts'

type CookieJar = Pick<Document, 'cookie'>

/**
 * Says through whose link a share is made, until the browser closes. Our server is told with the
 * share itself; others that speak this API read the cookie alone.
 */
export function setReverseShareCookie(jar: CookieJar, token: string, isSecure: boolean): void {
  const attributes = `Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`
  jar.cookie = `${REVERSE_SHARE_COOKIE}=${encodeURIComponent(token)}; ${attributes}`
}

/** Leaves the cookie alone once another tab sends through another link. */
export function dropReverseShareCookie(jar: CookieJar, token: string): void {
  const own = `${REVERSE_SHARE_COOKIE}=${encodeURIComponent(token)}`
  if (!jar.cookie.split('; ').includes(own)) return
  jar.cookie = `${REVERSE_SHARE_COOKIE}=; Path=/; SameSite=Lax; Max-Age=0`
}
