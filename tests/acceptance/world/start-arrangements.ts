import {
  type Arrangement,
  findFreePorts,
  type OAuthClient,
  reserveMinioServer,
  startDiscordServer,
  startFloe,
  startForgingProvider,
  startGithubServer,
} from '@floe/testing'
import { appendFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { compareResponses } from './compare-responses.ts'
import { searchLogs } from './log.ts'
import { startTurns } from './turns.ts'

export interface FloeUnderTest {
  arrangement: Arrangement
  url: string
  dataDirectory: string
  /** What lies below, with the keys of the objects as names. */
  objectsDirectory: string
  /** The first account, which is the administrator. */
  admin: { email: string; password: string }
  /** Every line that all its processes print. */
  logFile: string
  /** Where its processes, one or many, tell their figures. */
  metricsUrls: string[]
  /** Where clients note what no log may show, a line each. */
  secretsFile: string
  /** Where clients note the responses they get, a line each. */
  responsesFile: string
  /** Where files wait for their turn with it. */
  turnsPort: number
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent in tests of the browser, which have others. */
    floes?: FloeUnderTest[]
    /** What a Floe is at the providers whose addresses it has from its environment. */
    oauthClients: Record<'github' | 'discord' | 'google' | 'microsoft', OAuthClient>
  }
}

/** Of each service of the split arrangement. */
const REPLICAS = 2

/** The first account of each. */
export const admin = { email: 'admin@floe.test', password: 'correct horse battery' }

/**
 * Both arrangements run for the whole project; every test makes its own accounts and shares. At the
 * end everything they printed is searched for every secret that was sent or given out, and what the
 * same tests got from both is compared.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const arrangements = ['embedded', 'split'] as const
  const providers = await startProviders()
  const { environment, oauthClients } = providers
  const minio = await reserveMinioServer()
  await minio.start()
  const objectsOf: Record<Arrangement, Record<string, string>> = {
    embedded: {},
    split: {
      S3_ENDPOINT: minio.endpoint,
      S3_BUCKET: 'floe',
      S3_ACCESS_KEY: minio.accessKey,
      S3_SECRET_KEY: minio.secretKey,
    },
  }
  const record = await startRecord([admin.password, minio.secretKey])
  const { secretsFile, logFiles, responsesFiles } = record
  const turns = { embedded: await startTurns(), split: await startTurns() }
  const metricsPorts = {
    embedded: await findFreePorts(1),
    split: await findFreePorts(6 * REPLICAS),
  }
  const started = await Promise.allSettled(
    arrangements.map((arrangement) =>
      startFloe({
        arrangement,
        environment: {
          ...environment,
          ...objectsOf[arrangement],
          LOG_LEVEL: 'trace',
          FLOE_SPLIT_LOGS: 'yes',
          FLOE_SPLIT_REPLICAS: String(REPLICAS),
          METRICS_PORT: String(metricsPorts[arrangement][0]),
        },
        onOutput: (chunk) => appendFileSync(logFiles[arrangement], chunk),
      }),
    ),
  )
  const running = started
    .filter((result) => result.status === 'fulfilled')
    .map(({ value }) => value)
  const stopAll = async () => {
    await Promise.all(running.map((floe) => floe.stop()))
    await Promise.all([providers, ...Object.values(turns)].map((server) => server.close()))
    await minio.remove()
    await record.judge()
  }
  try {
    for (const result of started) if (result.status === 'rejected') throw result.reason
    for (const { url } of running) await signUpAdmin(url)
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
      objectsDirectory: {
        embedded: join(dataDirectory, 'objects'),
        split: join(minio.directory, 'floe', 'objects'),
      }[arrangement],
      admin,
      logFile: logFiles[arrangement],
      metricsUrls: metricsPorts[arrangement].map((port) => `http://127.0.0.1:${port}/metrics`),
      secretsFile,
      responsesFile: responsesFiles[arrangement],
      turnsPort: turns[arrangement].port,
    })),
  )
  return stopAll
}

/** Files for what processes print and clients note, until they are judged at the end. */
async function startRecord(secrets: readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'floe-logs-'))
  const secretsFile = join(directory, 'secrets')
  await writeFile(secretsFile, secrets.map((secret) => `${secret}\n`).join(''))
  const filesOf = (kind: string): Record<Arrangement, string> => ({
    embedded: join(directory, `embedded.${kind}`),
    split: join(directory, `split.${kind}`),
  })
  const logFiles = filesOf('log')
  const responsesFiles = filesOf('responses')
  for (const file of Object.values(responsesFiles)) await writeFile(file, '')
  return {
    secretsFile,
    logFiles,
    responsesFiles,
    judge: async () => {
      try {
        await searchLogs(Object.values(logFiles), secretsFile)
        await compareResponses(responsesFiles)
      } catch (error) {
        // It would be printed, and the run still pass.
        process.exitCode = 1
        throw error
      } finally {
        await rm(directory, { recursive: true })
      }
    },
  }
}

async function signUpAdmin(url: string): Promise<void> {
  const response = await fetch(`${url}/api/auth/signUp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...admin, username: 'admin' }),
  })
  if (response.status !== 201) throw new Error(`no administrator: ${await response.text()}`)
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
