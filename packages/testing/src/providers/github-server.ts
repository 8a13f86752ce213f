import express, { type Response } from 'express'
import {
  type Authorization,
  createAuthorizationCodes,
  type OAuthClient,
  type Redemption,
} from './authorization-codes.ts'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'

export interface GithubServer extends LoopbackServer, OAuthClient {
  /** GITHUB_API_URL; `url` is GITHUB_URL. */
  apiUrl: string
  /** What its API responds with instead, while set. */
  outage: { status: number; body: string } | null
}

/**
 * What social login calls of GitHub, as its REST API 2022-11-28 and its OAuth apps respond: refused
 * codes come with status 200, ids are numbers, addresses are apart from the user.
 */
export async function startGithubServer(
  client: OAuthClient = { clientId: 'github-client', clientSecret: 'github secret' },
): Promise<GithubServer> {
  const control: Pick<GithubServer, 'outage'> = { outage: null }
  const app = express()
  const codes = createAuthorizationCodes({
    name: 'GitHub',
    client,
    defaultAccount: {
      id: '583231',
      username: 'octocat',
      email: 'octocat@github.test',
      isEmailVerified: true,
    },
  })
  app.use(express.urlencoded({ extended: false }))
  app.get('/login/oauth/authorize', (req, res) => codes.showPage(req, res))
  app.post('/login/oauth/authorize', (req, res) => codes.takeDecision(req, res))

  app.post('/login/oauth/access_token', (req, res) => {
    const form = { grant_type: 'authorization_code', ...(req.body as object) }
    const response = responseOf(codes.redeem(form))
    // Without being asked for JSON it responds with a form, and never another status.
    if ((req.get('accept') ?? '').includes('json')) res.json(response)
    else
      res.type('application/x-www-form-urlencoded').send(new URLSearchParams(response).toString())
  })

  app.use('/api/v3', (req, res, next) => {
    if (control.outage) {
      res.status(control.outage.status).type('json').send(control.outage.body)
    } else if (req.get('user-agent') === undefined) {
      res.status(403).json({ message: 'Request forbidden by administrative rules.' })
    } else {
      next()
    }
  })
  app.get('/api/v3/user', (req, res) => {
    const grant = codes.findGrant(req)
    if (!grant) return refuseToken(res)
    const { id, username } = grant.account
    res.json({ id: Number(id), login: username ?? `user-${id}`, name: 'The Octocat', email: null })
  })
  app.get('/api/v3/user/emails', (req, res) => {
    const grant = codes.findGrant(req)
    if (!grant) return refuseToken(res)
    if (!grant.scopes.includes('user:email')) {
      return void res.status(404).json({ message: 'Not Found' })
    }
    res.json(emailsOf(grant))
  })

  function responseOf(redemption: Redemption): Record<string, string> {
    if ('error' in redemption) {
      const error =
        redemption.error === 'invalid_client'
          ? 'incorrect_client_credentials'
          : 'bad_verification_code'
      return { error, error_description: 'The code passed is incorrect or expired.' }
    }
    const { authorization } = redemption
    return {
      access_token: codes.issueAccessToken(authorization),
      token_type: 'bearer',
      scope: authorization.scopes.join(','),
    }
  }

  const server = await startLoopbackServer(() => app)
  return Object.assign(control, client, server, { apiUrl: `${server.url}/api/v3` })
}

function emailsOf({ account: { id, username, email, isEmailVerified = true } }: Authorization) {
  const hidden = `${id}+${username ?? ''}@users.noreply.github.test`
  return [
    { email: hidden, primary: false, verified: true, visibility: null },
    ...(email === undefined
      ? []
      : [{ email, primary: true, verified: isEmailVerified, visibility: 'private' }]),
  ]
}

function refuseToken(res: Response): void {
  res.status(401).json({ message: 'Bad credentials' })
}
