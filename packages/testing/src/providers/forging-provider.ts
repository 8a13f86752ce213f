import { randomBytes } from 'node:crypto'
import express, { type Request, type Response } from 'express'
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import {
  type Authorization,
  type AuthorizationCodes,
  createAuthorizationCodes,
  type OAuthClient,
} from './authorization-codes.ts'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
import { claimsOf } from './provider-account.ts'

/** What a provider, or an impostor, may do wrong. */
export type ProviderFault =
  | 'wrong nonce'
  | 'no nonce'
  | 'forged signature'
  | 'unsigned ID token'
  | 'ID token signed with the client secret'
  | 'wrong audience'
  | 'wrong issuer'
  | 'another tenant'
  | 'expired ID token'
  | 'no ID token'
  | 'userinfo of another account'
  | 'userinfo broken'
  | 'keys unreachable'
  | 'token endpoint broken'
  | 'token endpoint silent'
  | 'discovery broken'
  | 'discovery silent'
  | 'issuer of somebody else'
  | 'http endpoints elsewhere'

export interface ForgingProvider extends LoopbackServer, OAuthClient {
  /** Responds as it should while `null`. */
  fault: ProviderFault | null
  /** How often its discovery document was asked for. */
  discoveryRequests: number
  /** Any token, of its own key or of another one under that key's name. */
  signToken(claims: JWTPayload, options?: { typ?: string; isForged?: boolean }): Promise<string>
}

/** The tenant that `common` signs its accounts in by. */
export const TENANT_ID = '8f2f6a0c-7d5b-4b6e-9a35-0c6f1b1f2d11'

const KEY_ID = 'current'

/**
 * A small OpenID Provider that misbehaves on demand. Its own issuer is `url`; below
 * `/<tenant>/v2.0` it is Microsoft, where `common` and `organizations` name the issuer by a
 * template and the ID token by the tenant.
 */
export async function startForgingProvider(): Promise<ForgingProvider> {
  const client = { clientId: 'floe', clientSecret: randomBytes(24).toString('hex') }
  const control = { fault: null as ProviderFault | null, discoveryRequests: 0 }
  const [right, wrong] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(right.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }
  const codes = createAuthorizationCodes({
    name: 'OpenID Connect',
    client,
    defaultAccount: { id: 'mallory', username: 'mallory', email: 'mallory@oidc.test' },
  })

  const server = await startLoopbackServer((url) => {
    const app = express()
    app.use(express.urlencoded({ extended: false }))
    app.get('{/:tenant/v2.0}/.well-known/openid-configuration', (req, res) => {
      control.discoveryRequests += 1
      if (control.fault === 'discovery broken') return breakDown(res)
      if (control.fault === 'discovery silent') return
      res.json(describe(url, req.params['tenant'] ?? null, control.fault))
    })
    app.get('{/:tenant}/authorize', (req, res) => codes.showPage(req, res))
    app.post('{/:tenant}/authorize', (req, res) => codes.takeDecision(req, res))
    app.post('{/:tenant}/token', async (req, res) => {
      if (control.fault === 'token endpoint broken') return breakDown(res)
      if (control.fault === 'token endpoint silent') return
      const redemption = codes.redeem(req.body as Record<string, unknown>)
      if ('error' in redemption) return void res.status(400).json({ error: redemption.error })
      const { authorization } = redemption
      const idToken = await makeIdToken(authorization, {
        issuer: issuerOf(url, req.params['tenant'] ?? null),
        client,
        keys: { right: right.privateKey, wrong: wrong.privateKey },
        fault: control.fault,
      })
      res.json({
        access_token: codes.issueAccessToken(authorization),
        token_type: 'Bearer',
        ...(idToken === null ? {} : { id_token: idToken }),
      })
    })
    app.get('{/:tenant}/userinfo', (req, res) =>
      respondWithUserinfo(codes, control.fault, req, res),
    )
    app.get('/keys', (_req, res) => {
      if (control.fault === 'keys unreachable') return breakDown(res)
      res.json({ keys: [jwk] })
    })
    return app
  })
  return Object.assign(control, client, server, {
    signToken: (
      claims: JWTPayload,
      { typ, isForged = false }: { typ?: string; isForged?: boolean } = {},
    ) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, ...(typ !== undefined && { typ }) })
        .sign(isForged ? wrong.privateKey : right.privateKey),
  })
}

function breakDown(res: Response): void {
  res.status(502).type('html').send('<h1>Bad Gateway</h1>')
}

function issuerOf(url: string, tenant: string | null): string {
  return tenant === null ? url : `${url}/${tenantIdOf(tenant)}/v2.0`
}

function tenantIdOf(tenant: string): string {
  return tenant.includes('-') ? tenant : TENANT_ID
}

function describe(url: string, tenant: string | null, fault: ProviderFault | null) {
  const base = tenant === null ? url : `${url}/${tenant}`
  const isShared = tenant === 'common' || tenant === 'organizations'
  const issuer = isShared ? `${url}/{tenantid}/v2.0` : issuerOf(url, tenant)
  const elsewhere = base.replace('127.0.0.1', 'provider.example')
  return {
    issuer: fault === 'issuer of somebody else' ? 'https://accounts.example' : issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${fault === 'http endpoints elsewhere' ? elsewhere : base}/token`,
    userinfo_endpoint: `${base}/userinfo`,
    jwks_uri: `${url}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    // As generous as it could be: what is refused is then refused by the client.
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  }
}

async function makeIdToken(
  { account, nonce }: Authorization,
  {
    issuer,
    client,
    keys,
    fault,
  }: {
    issuer: string
    client: OAuthClient
    keys: { right: CryptoKey; wrong: CryptoKey }
    fault: ProviderFault | null
  },
): Promise<string | null> {
  if (fault === 'no ID token') return null
  const ageSeconds = fault === 'expired ID token' ? 3_600 : 0
  const issuedAt = Math.floor(Date.now() / 1000) - ageSeconds
  const tenantId = issuer.split('/').at(-2)
  const claims = {
    ...(account.hasBareIdToken ? {} : claimsOf(account)),
    ...(fault === 'no nonce' ? {} : { nonce: fault === 'wrong nonce' ? 'another' : nonce }),
    ...(issuer.endsWith('/v2.0')
      ? { tid: fault === 'another tenant' ? '9188040d-6c67-4c5b-b112-36a304b66dad' : tenantId }
      : {}),
    iss: fault === 'wrong issuer' ? 'https://accounts.example' : issuer,
    aud: fault === 'wrong audience' ? 'another-client' : client.clientId,
    sub: account.id,
    iat: issuedAt,
    exp: issuedAt + 600,
  }
  if (fault === 'unsigned ID token') return new UnsecuredJWT(claims).encode()
  if (fault === 'ID token signed with the client secret') {
    const key = new TextEncoder().encode(client.clientSecret)
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(key)
  }
  // The wrong key under the right key's name: only the signature itself tells.
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: KEY_ID })
    .sign(fault === 'forged signature' ? keys.wrong : keys.right)
}

function respondWithUserinfo(
  codes: AuthorizationCodes,
  fault: ProviderFault | null,
  req: Request,
  res: Response,
): void {
  if (fault === 'userinfo broken') return breakDown(res)
  const grant = codes.findGrant(req)
  if (!grant) return void res.status(401).set('WWW-Authenticate', 'Bearer').end()
  const sub = fault === 'userinfo of another account' ? 'somebody-else' : grant.account.id
  res.json({ sub, ...claimsOf(grant.account) })
}
