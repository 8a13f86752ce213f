import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import {
  type AdminPort,
  type AuthPort,
  defaultSettings,
  type JobContract,
  type JobPayload,
  reactions,
  type Settings,
} from '@floe/contracts'
import { type Database, openDatabase, outboxMigrations } from '@floe/db'
import { createRouter, errorHandler, notFoundHandler } from '@floe/http'
import { createPostgresLimits, limitMigrations } from '@floe/limits'
import { createLog } from '@floe/log'
import { createMailer } from '@floe/mail'
import { createPasswords } from '@floe/secrets'
import type { JobConsumer } from '@floe/runtime'
import { createSecrets } from '@floe/secrets'
import { createTestDatabase, type SmtpCatcher } from '@floe/testing'
import express from 'express'
import { type AuthPlatform, authService, migrations, type ProviderUrls } from '../index.ts'

export interface AuthServer {
  url: string
  database: Database
  port: AuthPort
  settings: Settings
  now(): Date
  passSeconds(seconds: number): void
  /** Mails go there from now on. */
  useSmtp(smtp: SmtpCatcher): void
  runJob<J extends JobContract>(job: J, payload: JobPayload<J>): Promise<void>
  /** Runs what the recorded events ask of this service; each event once. */
  runReactions(): Promise<void>
  /** A second replica on the same database. */
  replicate(): Promise<AuthServer>
  close(): Promise<void>
}

interface World {
  platform: AuthPlatform
  settings: Settings
  time: { offsetMs: number }
}

const nowhere: ProviderUrls = {
  github: 'http://127.0.0.1:9',
  githubApi: 'http://127.0.0.1:9',
  google: 'http://127.0.0.1:9',
  microsoft: 'http://127.0.0.1:9',
  discord: 'http://127.0.0.1:9',
}

/** The service on a database and a port of its own; only the settings are those of the test. */
export async function startAuthServer({
  providerUrls = nowhere,
}: { providerUrls?: ProviderUrls } = {}): Promise<AuthServer> {
  const testDatabase = await createTestDatabase([
    { service: 'platform', migrations: outboxMigrations },
    { service: 'limits', migrations: limitMigrations },
    { service: 'auth', migrations },
  ])
  const database = openDatabase({ url: testDatabase.url })
  const time = { offsetMs: 0 }
  const platform: AuthPlatform = {
    database,
    limits: createPostgresLimits({ database }),
    secrets: createSecrets({ key: randomBytes(32) }),
    passwords: createPasswords(),
    mailer: createMailer(),
    providerUrls,
    log: createLog({ level: 'silent', service: 'auth' }),
    clock: () => new Date(Date.now() + time.offsetMs),
  }
  const server = await serve({ platform, settings: defaultSettings(), time })
  return {
    ...server,
    close: async () => {
      await server.close()
      await database.close()
      await testDatabase.drop()
    },
  }
}

async function serve(world: World): Promise<AuthServer> {
  const { platform, settings, time } = world
  const { database, log } = platform
  const admin: AdminPort = {
    settings: () => Promise.resolve({ ...settings }),
    logo: async () => ({ version: null, darkVersion: null }),
    setup: async () => ({ isFinished: true }),
    icons: async () => ({ icons: null }),
  }
  const { routes, port, consumers } = await authService.create({ platform, ports: { admin } })
  const app = express()
  app.set('trust proxy', 'loopback')
  app.use(createRouter(routes, port), notFoundHandler(), errorHandler(log))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    database,
    port,
    settings,
    now: platform.clock,
    passSeconds: (seconds) => {
      time.offsetMs += seconds * 1000
    },
    useSmtp: (smtp) => Object.assign(settings, smtpSettingsOf(smtp)),
    runJob: (job, payload) => runJob(consumers, job.name, payload),
    runReactions: () => runReactions(database, consumers),
    replicate: () => serve(world),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function smtpSettingsOf({ host, port }: SmtpCatcher): Partial<Settings> {
  return {
    'smtp.enabled': true,
    'smtp.host': host,
    'smtp.port': port,
    'smtp.email': 'floe@example.org',
  }
}

async function runJob(
  consumers: readonly JobConsumer[],
  name: string,
  payload: unknown,
): Promise<void> {
  const consumer = consumers.find(({ job }) => job.name === name)
  if (!consumer) throw new Error(`${name} has no consumer here`)
  await consumer.handle(payload, { signal: new AbortController().signal })
}

async function runReactions({ knex }: Database, consumers: readonly JobConsumer[]): Promise<void> {
  const events = await knex('outbox').orderBy('id')
  for (const { id, name, payload } of events) {
    for (const { event, job } of reactions) {
      const isOurs = event === name && consumers.some((consumer) => consumer.job === job)
      // The payloads of this service's events are those of their jobs.
      if (isOurs) await runJob(consumers, job.name, payload)
    }
    await knex('outbox').where({ id }).delete()
  }
}
