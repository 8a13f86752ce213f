import { type SocialProvider } from '@floe/contracts'
import {
  allowInsecureRequests,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import type { ClientCredentials } from '../domain/social-settings.ts'
import { asking } from './failures.ts'
import { assertTransport, fetchSafely } from './requests.ts'

const CACHE_TTL_MS = 5 * 60 * 1000
const WELL_KNOWN = /\/\.well-known\/openid-configuration\/?$/

export interface OpenIdServer extends ClientCredentials {
  /** The issuer, with or without `/.well-known/openid-configuration`. */
  discoveryUri: string
  fetch?: CustomFetch
}

/** The discovered configuration of each provider, cached for some minutes. */
export interface OpenIdConfigurations {
  /** Fails with SocialError cannot_get_user_info. */
  open(provider: SocialProvider, server: OpenIdServer): Promise<Configuration>
}

export function createOpenIdConfigurations({
  clock,
  timeoutSeconds,
}: {
  clock: () => Date
  timeoutSeconds: number
}): OpenIdConfigurations {
  const kept = new Map<
    SocialProvider,
    { key: string; until: number; found: Promise<Configuration> }
  >()
  return {
    open(provider, server) {
      const { discoveryUri, clientId, clientSecret } = server
      const key = JSON.stringify([discoveryUri, clientId, clientSecret])
      const known = kept.get(provider)
      const now = clock().getTime()
      if (known && known.key === key && known.until > now) return known.found
      const entry = {
        key,
        until: now + CACHE_TTL_MS,
        found: asking(() => discover(server, timeoutSeconds)),
      }
      kept.set(provider, entry)
      // A failure is the response to those who wait for it, and to nobody after them.
      entry.found.catch(() => {
        if (kept.get(provider) === entry) kept.delete(provider)
      })
      return entry.found
    },
  }
}

async function discover(server: OpenIdServer, timeoutSeconds: number): Promise<Configuration> {
  const url = new URL(server.discoveryUri)
  url.pathname = url.pathname.replace(WELL_KNOWN, '')
  try {
    return await discoverAt(url, server, timeoutSeconds)
  } catch (error) {
    const issuer = otherSpelling(url, error)
    if (issuer === null) throw error
    return discoverAt(issuer, server, timeoutSeconds)
  }
}

function discoverAt(
  issuer: URL,
  { clientId, clientSecret, fetch = fetchSafely }: OpenIdServer,
  timeoutSeconds: number,
) {
  return discovery(
    assertTransport(issuer),
    clientId,
    { client_secret: clientSecret },
    authenticate(clientSecret),
    {
      [customFetch]: fetch,
      timeout: timeoutSeconds,
      // Without this, tokens that come straight from the provider keep their signature unread
      // (OpenID Connect Core §3.1.3.7, 6 lets a client do so). Plain http is for `fetch` to judge.
      execute: [allowInsecureRequests, enableNonRepudiationChecks],
    },
  )
}

/** An issuer that differs by its last slash is the same one; OpenID Connect compares letters. */
function otherSpelling(asked: URL, error: unknown): URL | null {
  const cause = error instanceof ClientError ? error.cause : null
  const { attribute, body } = (cause ?? {}) as { attribute?: unknown; body?: { issuer?: unknown } }
  const issuer = attribute === 'issuer' ? String(body?.issuer) : ''
  if (!URL.canParse(issuer)) return null
  const found = new URL(issuer)
  const isSame = found.href !== asked.href && withoutSlash(found) === withoutSlash(asked)
  return isSame ? found : null
}

function withoutSlash({ href }: URL): string {
  return href.replace(/\/+$/, '')
}

/** The client secret goes in the body, unless the provider takes only the header. */
function authenticate(clientSecret: string): ClientAuth {
  const post = ClientSecretPost(clientSecret)
  const basic = ClientSecretBasic(clientSecret)
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_post']
    const isBasic =
      !methods.includes('client_secret_post') && methods.includes('client_secret_basic')
    return (isBasic ? basic : post)(server, ...request)
  }
}
