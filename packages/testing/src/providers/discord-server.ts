import express, { type Response } from 'express'
import { createAuthorizationCodes, type OAuthClient } from './authorization-codes.ts'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'

export interface DiscordServer extends LoopbackServer, OAuthClient {
  /** What its API responds with instead, while set. */
  outage: { status: number; body: string } | null
}

/** What social login calls of Discord, as its API v10 responds. `url` is DISCORD_URL. */
export async function startDiscordServer(
  client: OAuthClient = { clientId: 'discord-client', clientSecret: 'discord secret' },
): Promise<DiscordServer> {
  const control: Pick<DiscordServer, 'outage'> = { outage: null }
  const app = express()
  const codes = createAuthorizationCodes({
    name: 'Discord',
    client,
    defaultAccount: {
      id: '80351110224678912',
      username: 'nelly',
      email: 'nelly@discord.test',
      isEmailVerified: true,
      guildIds: [],
    },
  })
  app.use(express.urlencoded({ extended: false }))
  app.get('/oauth2/authorize', (req, res) => codes.showPage(req, res))
  app.post('/oauth2/authorize', (req, res) => codes.takeDecision(req, res))

  app.post('/api/v10/oauth2/token', (req, res) => {
    const redemption = codes.redeem(req.body as Record<string, unknown>)
    if ('error' in redemption) {
      return void res
        .status(redemption.error === 'invalid_client' ? 401 : 400)
        .json({ error: redemption.error, error_description: 'Invalid "code" in request.' })
    }
    const { authorization } = redemption
    res.json({
      access_token: codes.issueAccessToken(authorization),
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: 'unused',
      scope: authorization.scopes.join(' '),
    })
  })

  app.use('/api/v10/users', (_req, res, next) => {
    if (control.outage) res.status(control.outage.status).type('json').send(control.outage.body)
    else next()
  })
  app.get('/api/v10/users/@me', (req, res) => {
    const grant = codes.findGrant(req)
    if (!grant?.scopes.includes('identify')) return refuseToken(res)
    const { id, username, email, isEmailVerified = true } = grant.account
    const seesEmail = grant.scopes.includes('email')
    res.json({
      id,
      username: username ?? `user${id}`,
      global_name: 'Nelly',
      discriminator: '0',
      ...(seesEmail ? { email: email ?? null, verified: isEmailVerified } : {}),
    })
  })
  app.get('/api/v10/users/@me/guilds', (req, res) => {
    const grant = codes.findGrant(req)
    if (!grant?.scopes.includes('guilds')) return refuseToken(res)
    res.json((grant.account.guildIds ?? []).map((id) => ({ id, name: `Server ${id}` })))
  })

  const server = await startLoopbackServer(() => app)
  return Object.assign(control, client, server)
}

function refuseToken(res: Response): void {
  res.status(401).json({ message: '401: Unauthorized', code: 0 })
}
