import { randomBytes } from 'node:crypto'
import { type SocialProvider, socialProviders } from '@floe/contracts'
import {
  type CertifiedProvider,
  type ConsentDecision,
  type DiscordServer,
  type ForgingProvider,
  type GithubServer,
  passConsent,
  type ProviderAccount,
  startCertifiedProvider,
  startDiscordServer,
  startForgingProvider,
  startGithubServer,
} from '@floe/testing'
import { type AuthServer, startAuthServer } from './auth-server.ts'
import { type HttpResponse, type Browser, openBrowser } from './browser.ts'
import { APP_URL, callbackUri } from './social-flow.ts'

export interface SocialWorld {
  server: AuthServer
  /** Google and the generic provider. */
  certified: CertifiedProvider
  /** Microsoft, and on request the generic provider. */
  forging: ForgingProvider
  github: GithubServer
  discord: DiscordServer
  /** The generic provider is the one that misbehaves on demand. */
  useForging(): void
  close(): Promise<void>
}

/** The service with every provider switched on. */
export async function startSocialWorld(): Promise<SocialWorld> {
  const certified = await startCertifiedProvider({
    redirectUris: [callbackUri('google'), callbackUri('oidc')],
  })
  const forging = await startForgingProvider()
  const github = await startGithubServer()
  const discord = await startDiscordServer()
  const server = await startAuthServer({
    providerUrls: {
      github: github.url,
      githubApi: github.apiUrl,
      google: certified.url,
      microsoft: forging.url,
      discord: discord.url,
    },
  })
  const clients = { github, discord, google: certified, microsoft: forging, oidc: certified }
  const { settings } = server
  settings['general.appUrl'] = APP_URL
  settings['oauth.oidc-discoveryUri'] = certified.url
  for (const provider of socialProviders) {
    settings[`oauth.${provider}-enabled`] = true
    settings[`oauth.${provider}-clientId`] = clients[provider].clientId
    settings[`oauth.${provider}-clientSecret`] = clients[provider].clientSecret
  }
  return {
    server,
    certified,
    forging,
    github,
    discord,
    useForging() {
      settings['oauth.oidc-discoveryUri'] = forging.url
      settings['oauth.oidc-clientId'] = forging.clientId
      settings['oauth.oidc-clientSecret'] = forging.clientSecret
    },
    close: async () => {
      await server.close()
      await Promise.all([certified, forging, github, discord].map((one) => one.close()))
    },
  }
}

let lastId = 1_000

/** Somebody nobody has seen yet. */
export function newAccount(changes: Partial<ProviderAccount> = {}): ProviderAccount {
  lastId += 1
  const username = `social_${randomBytes(4).toString('hex')}`
  const email = `${username}@provider.test`
  return { id: String(lastId), username, email, isEmailVerified: true, ...changes }
}

/** Leaves for the provider and comes back up to the callback, which is not yet called. */
export async function visitProvider(
  browser: Browser,
  provider: SocialProvider,
  decision: ConsentDecision,
  redirect?: string,
): Promise<URL> {
  const query = redirect === undefined ? '' : `?${new URLSearchParams({ redirect }).toString()}`
  const begun = await browser.send('GET', `/api/oauth/auth/${provider}${query}`)
  if (begun.status !== 302 || begun.location === null) throw new Error(begun.text)
  return passConsent(begun.location, decision)
}

export function callBack(browser: Browser, { pathname, search }: URL): Promise<HttpResponse> {
  return browser.send('GET', pathname + search)
}

/** The whole way; the response is that of the callback. */
export async function goThrough(
  browser: Browser,
  provider: SocialProvider,
  decision: ConsentDecision,
  redirect?: string,
): Promise<HttpResponse> {
  return callBack(browser, await visitProvider(browser, provider, decision, redirect))
}

/** A browser that has signed in as the account, for the first time or again. */
export async function enter(
  server: { url: string },
  provider: SocialProvider,
  account: ProviderAccount,
): Promise<Browser> {
  const browser = openBrowser(server)
  const response = await goThrough(browser, provider, { account })
  if (landingOf(response) !== '/')
    throw new Error(`landed on ${response.location}: ${response.text}`)
  return browser
}

/** The page of the site that a redirect leads to. */
export function landingOf({ status, location }: HttpResponse): string | null {
  const isOurs = status === 302 && location !== null && location.startsWith(`${APP_URL}/`)
  return isOurs ? location.slice(APP_URL.length) : null
}

export interface ErrorLanding {
  error: string | null
  redirect: string | null
  params: string | null
}

/** What the error page is told; `null` when it is not where the redirect leads. */
export function errorOf(response: HttpResponse): ErrorLanding | null {
  const landing = landingOf(response)
  if (!landing?.startsWith('/error?')) return null
  const query = new URLSearchParams(landing.slice('/error?'.length))
  const { error = null, redirect = null, params = null } = Object.fromEntries(query)
  return { error, redirect, params }
}
