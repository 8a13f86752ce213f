import { randomInt } from 'node:crypto'
import { type SocialProvider, socialProviders } from '@floe/contracts'
import {
  type CertifiedProvider,
  type ConsentDecision,
  type OAuthClient,
  passConsent,
  type ProviderAccount,
  startCertifiedProvider,
} from '@floe/testing'
import { expect, inject, vi } from 'vitest'
import { signInAsAdmin } from './accounts.ts'
import { type HttpResponse, type Client, createClient } from './http-client.ts'
import { changeSettings } from './mail.ts'
import type { FloeUnderTest } from './start-arrangements.ts'

type Value = string | number | boolean
export type Changes = Record<string, Value>

/** One Floe with every provider switched on. */
export interface SocialFloe {
  appUrl: string
  certified: CertifiedProvider
  configure(changes: Changes): Promise<void>
  /** The generic provider is another one from now on. */
  useOidc(server: OAuthClient & { url: string }): Promise<void>
  /** Switches everything off again. */
  close(): Promise<void>
}

export async function switchSocialLoginOn(floe: FloeUnderTest): Promise<SocialFloe> {
  const admin = await signInAsAdmin(floe)
  const appUrl = await readAppUrl(createClient(floe.url))
  const redirectUris = [`${appUrl}/api/oauth/callback/oidc`]
  const certified = await startCertifiedProvider({ redirectUris })
  const changed = new Set<string>()
  const configure = async (changes: Changes) => {
    Object.keys(changes).forEach((key) => changed.add(key))
    await changeSettings(
      admin,
      Object.entries(changes).map(([key, value]) => ({ key, value })),
    )
  }
  const useOidc = ({ url, clientId, clientSecret }: OAuthClient & { url: string }) =>
    configure({
      'oauth.oidc-discoveryUri': url,
      'oauth.oidc-clientId': clientId,
      'oauth.oidc-clientSecret': clientSecret,
    })

  await useOidc(certified)
  for (const [name, { clientId, clientSecret }] of Object.entries(inject('oauthClients'))) {
    await configure({
      [`oauth.${name}-clientId`]: clientId,
      [`oauth.${name}-clientSecret`]: clientSecret,
    })
  }
  await configure(
    Object.fromEntries(socialProviders.map((name) => [`oauth.${name}-enabled`, true])),
  )
  await waitForProviders(floe.url, socialProviders)
  return {
    appUrl,
    certified,
    configure,
    useOidc,
    close: async () => {
      await configure(Object.fromEntries([...changed].map((key) => [key, ''])))
      await waitForProviders(floe.url, [])
      await certified.close()
    },
  }
}

async function waitForProviders(url: string, names: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await createClient(url).send('GET', '/api/oauth/available')
    expect(body).toEqual(names)
  }, 10_000)
}

async function readAppUrl(client: Client): Promise<string> {
  const { body } = await client.send('GET', '/api/configs')
  const variables = body as { key: string; value: string }[]
  return variables.find(({ key }) => key === 'general.appUrl')?.value ?? ''
}

/** Somebody nobody has seen yet. */
export function newProviderAccount(changes: Partial<ProviderAccount> = {}): ProviderAccount {
  const id = String(randomInt(1_000_000, 2 ** 47))
  const username = `social_${id}`
  return { id, username, email: `${username}@provider.test`, isEmailVerified: true, ...changes }
}

/** Leaves for the provider and comes back up to the callback, which is not yet called. */
export async function visitProvider(
  client: Client,
  provider: SocialProvider,
  decision: ConsentDecision,
  redirect = '/',
): Promise<URL> {
  const query = new URLSearchParams({ redirect }).toString()
  const begun = await client.send('GET', `/api/oauth/auth/${provider}?${query}`)
  expect(begun.status, begun.text).toBe(302)
  return passConsent(begun.headers.location ?? '', decision)
}

export function callBack(client: Client, { pathname, search }: URL): Promise<HttpResponse> {
  return client.send('GET', pathname + search)
}

/** The whole way: the address that the callback redirects to. */
export async function goThrough(
  client: Client,
  provider: SocialProvider,
  decision: ConsentDecision,
  redirect?: string,
): Promise<string> {
  return locationOf(
    await callBack(client, await visitProvider(client, provider, decision, redirect)),
  )
}

export function locationOf(response: HttpResponse): string {
  expect(response.status, response.text).toBe(302)
  return response.headers.location ?? ''
}

/** What the error page is told; `null` for any other page. */
export function errorOf(location: string): Record<string, string> | null {
  const { pathname, searchParams } = new URL(location)
  return pathname === '/error' ? Object.fromEntries(searchParams) : null
}
