import {
  type Arrangement,
  type OAuthClient,
  startDiscordServer,
  startFloe,
  startForgingProvider,
  startGithubServer,
} from '@floe/testing'
import type { TestProject } from 'vitest/node'
import { createClient } from './http-client.ts'

export interface FloeUnderTest {
  arrangement: Arrangement
  url: string
  dataDirectory: string
  /** The first account, which is the administrator. */
  admin: { email: string; password: string }
}

declare module 'vitest' {
  interface ProvidedContext {
    floes: FloeUnderTest[]
    /** What a Floe is at the providers whose addresses it has from its environment. */
    oauthClients: Record<'github' | 'discord' | 'google' | 'microsoft', OAuthClient>
  }
}

const admin = { email: 'admin@floe.test', password: 'correct horse battery' }

/** Both arrangements run for the whole project; every test makes its own accounts and shares. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const arrangements = ['embedded', 'split'] as const
  const providers = await startProviders()
  const { environment, oauthClients } = providers
  const started = await Promise.allSettled(
    arrangements.map((arrangement) => startFloe({ arrangement, environment })),
  )
  const running = started
    .filter((result) => result.status === 'fulfilled')
    .map(({ value }) => value)
  const stopAll = async () => {
    await Promise.all(running.map((floe) => floe.stop()))
    await providers.close()
  }
  try {
    for (const result of started) if (result.status === 'rejected') throw result.reason
    for (const { url } of running) {
      const answer = await createClient(url).send('POST', '/api/auth/signUp', {
        json: { ...admin, username: 'admin' },
      })
      if (answer.status !== 201) throw new Error(`no administrator: ${answer.text}`)
    }
  } catch (error) {
    await stopAll()
    throw error
  }
  project.provide('oauthClients', oauthClients)
  project.provide(
    'floes',
    running.map(({ arrangement, url, dataDirectory }) => ({
      arrangement,
      url,
      dataDirectory,
      admin,
    })),
  )
  return stopAll
}

/** Providers of social login; none is switched on before a test does so. */
async function startProviders() {
  const [github, discord, openid] = await Promise.all([
    startGithubServer(),
    startDiscordServer(),
    startForgingProvider(),
  ])
  const clientOf = ({ clientId, clientSecret }: OAuthClient) => ({ clientId, clientSecret })
  return {
    environment: {
      GITHUB_URL: github.url,
      GITHUB_API_URL: github.apiUrl,
      DISCORD_URL: discord.url,
      GOOGLE_URL: openid.url,
      MICROSOFT_URL: openid.url,
    },
    oauthClients: {
      github: clientOf(github),
      discord: clientOf(discord),
      google: clientOf(openid),
      microsoft: clientOf(openid),
    },
    close: async () => {
      await Promise.all([github, discord, openid].map((provider) => provider.close()))
    },
  }
}
