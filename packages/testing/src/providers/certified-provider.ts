import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { exportJWK, generateKeyPair } from 'jose'
import type Provider from 'oidc-provider'
import type { ClientMetadata, Configuration, interactionPolicy } from 'oidc-provider'
import type { OAuthClient } from './authorization-codes.ts'
import { consentPage, readConsent } from './consent-page.ts'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
import { claimsOf, type ProviderAccount } from './provider-account.ts'

export interface CertifiedProvider extends LoopbackServer, OAuthClient {
  /** How often its userinfo endpoint was asked. */
  readonly userinfoRequests: number
  /** What it told of sessions that ended, and what it was answered. */
  readonly backChannel: readonly BackChannelCall[]
}

export interface BackChannelCall {
  logoutToken: string
  status: number
}

export interface CertifiedProviderOptions {
  /** Where codes may be sent, in full. */
  redirectUris: readonly string[]
  clientAuthMethod?: 'client_secret_post' | 'client_secret_basic'
  /** Where a browser is sent that signed out, in full. */
  postLogoutRedirectUris?: readonly string[]
  /** Where the end of a session is told; asked once it happens. */
  backChannelLogoutUri?: () => string
}

const defaultAccount: ProviderAccount = {
  id: 'ada',
  username: 'ada.lovelace',
  email: 'ada@oidc.test',
  isEmailVerified: true,
}

/**
 * The certified OpenID Provider `oidc-provider` with one client, insisting on PKCE. It asks at
 * every sign-in who is there; accounts come into being by signing in.
 */
export async function startCertifiedProvider(
  options: CertifiedProviderOptions,
): Promise<CertifiedProvider> {
  const { clientAuthMethod = 'client_secret_post', backChannelLogoutUri } = options
  const client = { clientId: 'floe', clientSecret: randomBytes(24).toString('hex') }
  const requests = { userinfo: 0 }
  const backChannel: BackChannelCall[] = []
  const jwks = { keys: [await makeSigningKey()] }
  const server = await startLoopbackServer(async (url) => {
    // Loaded where it is used: most tests that import this package never sign in elsewhere.
    const library = await import('oidc-provider')
    const accounts = new Map<string, ProviderAccount>()
    const provider = new library.default(url, {
      jwks,
      cookies: { keys: [randomBytes(32).toString('hex')] },
      clients: [metadataOf(client, { ...options, clientAuthMethod, url })],
      clientAuthMethods: [clientAuthMethod],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['preferred_username', 'nickname', 'name', 'handle', 'roles', 'realm_access'],
      },
      // Otherwise the code flow would tell claims by userinfo alone; accounts decide that here.
      conformIdTokenClaims: false,
      findAccount: (_ctx, id) => findAccount(accounts, id),
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: backChannelLogoutUri !== undefined },
        rpInitiatedLogout: { logoutSource: askToSignOut, postLogoutSuccessSource: tellSignedOut },
      },
      fetch: fetchAnywhere,
      interactions: {
        url: (_ctx, interaction) => `/interaction/${interaction.uid}`,
        policy: askEveryTime(library.interactionPolicy),
      },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    } satisfies Configuration)
    const app = express()
    app.use('/me', (_req, _res, next) => {
      requests.userinfo += 1
      next()
    })
    // The client registers before it is known where it listens.
    app.post('/backchannel', express.urlencoded({ extended: false }), async (req, res) => {
      const told = await passOn(backChannelLogoutUri?.() ?? '', req.body)
      backChannel.push(told)
      res.sendStatus(told.status)
    })
    app.get('/interaction/:uid', (_req, res) => {
      res.type('html').send(consentPage('OpenID Connect', defaultAccount))
    })
    app.post('/interaction/:uid', express.urlencoded({ extended: false }), (req, res) =>
      finishInteraction(provider, accounts, req, res),
    )
    app.use(provider.callback())
    return app
  })
  return {
    ...server,
    ...client,
    backChannel,
    get userinfoRequests() {
      return requests.userinfo
    },
  }
}

function metadataOf(
  { clientId, clientSecret }: OAuthClient,
  {
    redirectUris,
    clientAuthMethod,
    postLogoutRedirectUris = [],
    backChannelLogoutUri,
    url,
  }: CertifiedProviderOptions & { url: string },
): ClientMetadata {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [...redirectUris],
    ...(clientAuthMethod && { token_endpoint_auth_method: clientAuthMethod }),
    post_logout_redirect_uris: [...postLogoutRedirectUris],
    ...(backChannelLogoutUri && {
      backchannel_logout_uri: `${url}/backchannel`,
      backchannel_logout_session_required: true,
    }),
  }
}

/** Without the library's guard, which keeps it from the servers of this machine. */
function fetchAnywhere(address: string | URL | Request, options: Guarded = {}): Promise<Response> {
  const { dispatcher: _guard, ...rest } = options
  return fetch(address, rest)
}

type Guarded = RequestInit & { dispatcher?: unknown }

async function passOn(url: string, body: Record<string, string>): Promise<BackChannelCall> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(body) })
  await response.text()
  return { logoutToken: body['logout_token'] ?? '', status: response.status }
}

async function makeSigningKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'current', alg: 'RS256', use: 'sig' }
}

function findAccount(accounts: ReadonlyMap<string, ProviderAccount>, id: string) {
  const account = accounts.get(id)
  if (!account) return undefined
  return {
    accountId: id,
    claims: (use: string) => {
      const isBare = use === 'id_token' && account.hasBareIdToken === true
      return { sub: id, ...(isBare ? {} : claimsOf(account)) }
    },
  }
}

/** In place of the library's pages, which load a font from elsewhere. */
function askToSignOut(ctx: { body: unknown }, form: string): void {
  ctx.body = page(`${form}
    <button type="submit" form="op.logoutForm" value="yes" name="logout">Yes, sign me out</button>`)
}

function tellSignedOut(ctx: { body: unknown }): void {
  ctx.body = page('<h1>Signed out</h1>')
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>OpenID Connect</title>
<link rel="icon" href="data:,">
${content}
</html>`
}

/** A browser that was here before is asked again, so that it may be somebody else. */
function askEveryTime({ base, Check }: typeof interactionPolicy) {
  const policy = base()
  policy
    .get('login')
    ?.checks.add(
      new Check('ask_every_time', 'Who is there is asked every time', (ctx) =>
        ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    )
  return policy
}

async function finishInteraction(
  provider: Provider,
  accounts: Map<string, ProviderAccount>,
  req: IncomingMessage & { body: Record<string, unknown> },
  res: ServerResponse,
): Promise<void> {
  const decision = readConsent(req.body)
  if ('error' in decision) return provider.interactionFinished(req, res, { error: decision.error })
  const { account } = decision
  accounts.set(account.id, account)
  const { params } = await provider.interactionDetails(req, res)
  const grant = new provider.Grant({
    accountId: account.id,
    clientId: String(params['client_id']),
  })
  grant.addOIDCScope(String(params['scope']))
  const result = { login: { accountId: account.id }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(req, res, result)
}
