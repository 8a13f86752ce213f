import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  customFetch,
  fetchProtectedResource,
} from 'openid-client'
import type { z } from 'zod'
import {
  type AuthorizationResponse,
  type AuthorizationRequest,
  SocialError,
  type SocialTrial,
} from '../domain/social-ports.ts'
import type { ClientCredentials } from '../domain/social-settings.ts'
import { asking, redeeming } from './failures.ts'
import { assertTransport, fetchSafely } from './requests.ts'
import { tryClient } from './try-client.ts'

/** A provider that speaks OAuth 2 alone: who somebody is, its own API tells. */
export interface OAuthClient {
  authorizationUrl(request: AuthorizationRequest, scope: string): Promise<URL>
  /** An access token for the code. Fails with SocialError invalid_token, cannot_get_user_info. */
  redeem(response: AuthorizationResponse): Promise<string>
  tryOut(redirectUri: string): Promise<SocialTrial>
  /** Fails with SocialError cannot_get_user_info unless the response matches the schema. */
  read<S extends z.ZodType>(schema: S, url: string, accessToken: string): Promise<z.output<S>>
}

export interface OAuthServer extends ClientCredentials {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  headers?: Record<string, string>
  timeoutSeconds: number
}

export function createOAuthClient({
  issuer,
  authorizationEndpoint,
  tokenEndpoint,
  clientId,
  clientSecret,
  headers = {},
  timeoutSeconds,
}: OAuthServer): OAuthClient {
  const endpoints = {
    issuer,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
  }
  const authentication = ClientSecretPost(clientSecret)
  const configuration = new Configuration(endpoints, clientId, clientSecret, authentication)
  configuration.timeout = timeoutSeconds
  configuration[customFetch] = fetchSafely
  allowInsecureRequests(configuration)
  return {
    authorizationUrl: ({ state, codeChallenge, redirectUri }, scope) =>
      asking(async () =>
        assertTransport(
          buildAuthorizationUrl(configuration, {
            redirect_uri: redirectUri,
            scope,
            state,
            code_challenge: codeChallenge,
            code_challenge_method: 'S256',
          }),
        ),
      ),

    redeem: ({ callbackUrl, state, codeVerifier }) =>
      redeeming(async () => {
        const tokens = await authorizationCodeGrant(configuration, codeAlone(callbackUrl), {
          expectedState: state,
          pkceCodeVerifier: codeVerifier,
        })
        return tokens.access_token
      }),

    tryOut: (redirectUri) => tryClient(configuration, redirectUri),

    read: (schema, url, accessToken) =>
      asking(async () => {
        const response = await fetchProtectedResource(
          configuration,
          accessToken,
          new URL(url),
          'GET',
          undefined,
          new Headers({ accept: 'application/json', ...headers }),
        )
        if (!response.ok) {
          await response.body?.cancel()
          throw new SocialError('cannot_get_user_info', `${url} returned ${response.status}`)
        }
        const parsed = schema.safeParse(await response.json())
        if (!parsed.success) {
          throw new SocialError('cannot_get_user_info', `${url} returned something else`)
        }
        return parsed.data
      }),
  }
}

/** No metadata says what else such a provider may add, so nothing of it can be checked. */
function codeAlone(callbackUrl: URL): URL {
  const url = new URL(callbackUrl)
  const kept = [...url.searchParams].filter(([name]) => name === 'code' || name === 'state')
  url.search = new URLSearchParams(kept).toString()
  return url
}
