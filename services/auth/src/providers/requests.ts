import type { CustomFetch } from 'openid-client'
import { SocialError } from '../domain/social-ports.ts'

/** Time limit for one response of a provider. */
export const REQUEST_TIMEOUT_SECONDS = 10

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Plain http carries secrets past nobody only within this machine. */
export function assertTransport(url: URL): URL {
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
  if (!isSafe) {
    throw new SocialError('cannot_get_user_info', `${url.origin} must be reached by https`)
  }
  return url
}

/**
 * Every request to a provider; the library's signal ends it in time. The library itself allows
 * https alone or everything: with `allowInsecureRequests`, each address is judged here.
 */
export const fetchSafely: CustomFetch = (url, { body, ...options }) => {
  assertTransport(new URL(url))
  return fetch(url, { ...options, ...(body === undefined ? {} : { body }) })
}
