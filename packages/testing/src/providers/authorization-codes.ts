import { createHash, randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { consentPage, readConsent } from './consent-page.ts'
import type { ProviderAccount } from './provider-account.ts'

export interface OAuthClient {
  clientId: string
  clientSecret: string
}

/** An authorization request that was allowed, until its code is redeemed. */
export interface Authorization {
  account: ProviderAccount
  redirectUri: string
  codeChallenge: string
  scopes: string[]
  nonce: string | null
}

export type Redemption = { authorization: Authorization } | { error: string }

/**
 * The authorization code flow (RFC 6749 §4.1) with PKCE (RFC 7636, S256 alone): the page, the code
 * and what the token endpoint must check before it takes one.
 */
export interface AuthorizationCodes {
  showPage(req: Request, res: Response): void
  /** Sends the browser back with a code, or with the error that was decided on. */
  takeDecision(req: Request, res: Response): void
  /** Each code once, for the client, the address and the verifier it was made for. */
  redeem(form: Record<string, unknown>): Redemption
  /** What the holder of an access token may read; `null` for a made-up one. */
  findGrant(req: Request): Authorization | null
  issueAccessToken(authorization: Authorization): string
}

export function createAuthorizationCodes({
  name,
  client,
  defaultAccount,
}: {
  name: string
  client: OAuthClient
  defaultAccount: ProviderAccount
}): AuthorizationCodes {
  const codes = new Map<string, Authorization>()
  const accessTokens = new Map<string, Authorization>()

  return {
    showPage(req, res) {
      const problem = findProblem(req, client)
      if (problem) res.status(400).type('text/plain').send(problem)
      else res.type('html').send(consentPage(name, defaultAccount))
    },

    takeDecision(req, res) {
      const query = req.query as Record<string, string>
      const decision = readConsent(req.body as Record<string, unknown>)
      const response = new URL(query['redirect_uri'] ?? '')
      response.searchParams.set('state', query['state'] ?? '')
      if ('error' in decision) {
        response.searchParams.set('error', decision.error)
      } else {
        const code = randomBytes(20).toString('hex')
        response.searchParams.set('code', code)
        codes.set(code, {
          account: decision.account,
          redirectUri: query['redirect_uri'] ?? '',
          codeChallenge: query['code_challenge'] ?? '',
          scopes: (query['scope'] ?? '').split(' '),
          nonce: query['nonce'] ?? null,
        })
      }
      res.redirect(response.href)
    },

    redeem(form) {
      const code = String(form['code'])
      const authorization = codes.get(code)
      codes.delete(code)
      if (form['client_id'] !== client.clientId || form['client_secret'] !== client.clientSecret) {
        return { error: 'invalid_client' }
      }
      const isRight =
        authorization !== undefined &&
        form['grant_type'] === 'authorization_code' &&
        form['redirect_uri'] === authorization.redirectUri &&
        challengeOf(String(form['code_verifier'])) === authorization.codeChallenge
      return isRight ? { authorization } : { error: 'invalid_grant' }
    },

    findGrant(req) {
      const [scheme = '', token = ''] = (req.get('authorization') ?? '').split(' ')
      return scheme.toLowerCase() === 'bearer' ? (accessTokens.get(token) ?? null) : null
    },

    issueAccessToken(authorization) {
      const token = randomBytes(20).toString('hex')
      accessTokens.set(token, authorization)
      return token
    },
  }
}

function findProblem(req: Request, { clientId }: OAuthClient): string | null {
  const query = req.query as Record<string, string | undefined>
  if (query['client_id'] !== clientId) return 'unknown client_id'
  if (query['response_type'] !== undefined && query['response_type'] !== 'code') {
    return 'response_type must be code'
  }
  if (!URL.canParse(query['redirect_uri'] ?? '')) return 'redirect_uri is missing'
  if (!query['state']) return 'state is missing'
  const isHashed = query['code_challenge_method'] === 'S256'
  return isHashed && query['code_challenge'] ? null : 'a code_challenge by S256 is missing'
}

function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url')
}
