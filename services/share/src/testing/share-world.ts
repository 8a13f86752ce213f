import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type AdminPort,
  defaultSettings,
  type Identity,
  type RequestCredentials,
  type Settings,
  sharePort,
  type SharingExceptions,
} from '@floe/contracts'
import { type Database, openDatabase, openPresence, outboxMigrations } from '@floe/db'
import { createRouter, errorHandler, notFoundHandler, throughContract } from '@floe/http'
import { createPostgresLimits, limitMigrations } from '@floe/limits'
import { createLog } from '@floe/log'
import { createMailer } from '@floe/mail'
import { createPasswords } from '@floe/secrets'
import type { Service } from '@floe/runtime'
import { createTestDatabase, type SmtpCatcher } from '@floe/testing'
import express from 'express'
import { migrations, shareService } from '../index.ts'
import { type Browser, openBrowser } from './browser.ts'
import {
  createAuth,
  createFiles,
  createIdentity,
  type KnownUser,
  type StoredOfShares,
} from './neighbours.ts'
import { openTables, type Tables } from './tables.ts'

export interface Replica {
  run(jobName: string, payload?: unknown): Promise<void>
  /** Looks like `kill -9` to other processes: presence ends, claimed work stays claimed. */
  kill(): Promise<void>
}

interface SignInOptions {
  isAdmin?: boolean
  showsName?: boolean
  /** Bytes of one share. */
  shareSizeLimit?: number
  sharingExceptions?: SharingExceptions
}

/** The share service on a real database and a real server, with small neighbours. */
export interface ShareWorld extends Tables, StoredOfShares {
  database: Database
  service: Service<'share'>
  settings: Settings
  /** The time of the service's clock. */
  now: Date
  /** Errors the server could not name; empty unless something returned 500. */
  failures: unknown[]
  signIn(options?: SignInOptions): {
    browser: Browser
    identity: Identity
  }
  visit(cookies?: Record<string, string>): Browser
  /** Mails go there from now on, to recipients too. */
  useSmtp(smtp: Pick<SmtpCatcher, 'host' | 'port'>): void
  /** Another process over the same database, which lives until it is killed. */
  startReplica(): Promise<Replica>
  run(jobName: string, payload?: unknown): Promise<void>
  close(): Promise<void>
}

function createStored(): StoredOfShares {
  return { files: new Map(), unfinished: new Map(), waiting: { of: null } }
}

export async function openShareWorld(): Promise<ShareWorld> {
  const testDatabase = await createTestDatabase([
    { service: 'platform', migrations: outboxMigrations },
    { service: 'limits', migrations: limitMigrations },
    { service: 'share', migrations },
  ])
  const database = openDatabase({ url: testDatabase.url })

  const users = new Map<string, KnownUser>()
  const stored = createStored()
  const world = { now: new Date('2026-05-01T12:00:00.000Z'), settings: defaultSettings() }
  async function createReplica() {
    const presence = await openPresence({ url: testDatabase.url })
    const service = await shareService.create({
      platform: {
        database,
        presence,
        limits: createPostgresLimits({ database }),
        passwords: createPasswords(),
        mailer: createMailer(),
        log: createLog({ level: 'silent', service: 'share' }),
        clock: () => world.now,
      },
      ports: {
        auth: createAuth(users),
        file: createFiles(stored),
        admin: {
          settings: async () => world.settings,
          logo: async () => ({ version: null, darkVersion: null }),
          setup: async () => ({ isFinished: true }),
          icons: async () => ({ icons: null }),
        } satisfies AdminPort,
      },
    })
    return { service, presence }
  }
  const { service, presence } = await createReplica()
  const failures: unknown[] = []
  const server = await serve(service, failures)
  const { port } = server.address() as AddressInfo

  return Object.assign(world, {
    database,
    service: { ...service, port: throughContract(sharePort, service.port) },
    failures,
    ...stored,
    ...openTables(database, stored.files),
    signIn: ({ isAdmin = false, ...options }: SignInOptions = {}) => {
      const known = { showsName: true, shareSizeLimit: null, ...options }
      const identity = { ...createIdentity(isAdmin), ...known }
      users.set(identity.sessionId, identity)
      return { identity, browser: openBrowser(port, { access_token: identity.sessionId }) }
    },
    visit: (cookies: Record<string, string> = {}) => openBrowser(port, cookies),
    useSmtp: ({ host, port }: Pick<SmtpCatcher, 'host' | 'port'>) => {
      Object.assign(world.settings, {
        'smtp.enabled': true,
        'smtp.host': host,
        'smtp.port': port,
        'smtp.email': 'floe@example.org',
        'email.enableShareEmailRecipients': true,
      } satisfies Partial<Settings>)
    },
    startReplica: async () => {
      const replica = await createReplica()
      return {
        run: (jobName: string, payload: unknown = {}) => runJob(replica.service, jobName, payload),
        kill: () => replica.presence.close(),
      }
    },
    run: (jobName: string, payload: unknown = {}) => runJob(service, jobName, payload),
    close: async () => {
      await new Promise((resolve) => server.close(resolve))
      await service.stop()
      await presence.close()
      await database.close()
      await testDatabase.drop()
    },
  })
}

async function runJob(
  { consumers }: Service<'share'>,
  jobName: string,
  payload: unknown,
): Promise<void> {
  const consumer = consumers.find(({ job }) => job.name === jobName)
  if (consumer === undefined) throw new Error(`nobody consumes ${jobName}`)
  await consumer.handle(payload, { signal: new AbortController().signal })
}

async function serve(service: Service<'share'>, failures: unknown[]) {
  const app = express()
  // Tests come from many addresses by X-Forwarded-For.
  app.set('trust proxy', 1)
  app.use(createRouter(service.routes))
  app.use(notFoundHandler())
  app.use(errorHandler({ error: ({ err }) => failures.push(err) }))
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

let lastShareNumber = 0

export function newShareId(): string {
  lastShareNumber += 1
  return `share-${lastShareNumber}-${randomUUID().slice(0, 8)}`
}

export function shareInput(id: string, rest: Record<string, unknown> = {}) {
  return { id, expiration: '7-days', recipients: [], ...rest }
}

/** Creates a share with one file and completes it; returns its id. */
export async function publishShare(
  world: ShareWorld,
  owner: Browser,
  rest: Record<string, unknown> = {},
): Promise<string> {
  const id = newShareId()
  const created = await owner.send('POST', '/api/shares', { body: shareInput(id, rest) })
  if (created.status !== 201) throw new Error(`create returned ${JSON.stringify(created.body)}`)
  await world.addFile(id)
  const completed = await owner.send('POST', `/api/shares/${id}/complete`)
  if (completed.status !== 202) throw new Error(`complete returned ${completed.status}`)
  return id
}

/** The credentials of a request without cookies. */
export function anonymousCredentials(rest: Partial<RequestCredentials> = {}): RequestCredentials {
  return {
    accessToken: null,
    shareToken: null,
    ownerToken: null,
    reverseShareToken: null,
    clientAddress: '192.0.2.1',
    userAgent: 'curl/8',
    ...rest,
  }
}
