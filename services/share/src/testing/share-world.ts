import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type AdminPort,
  type AuthPort,
  defaultSettings,
  type FilePort,
  type Identity,
  type ReadGrant,
  type RequestCredentials,
  type Settings,
  sharePort,
} from '@floe/contracts'
import { type Database, openDatabase, openPresence, outboxMigrations } from '@floe/db'
import { AppError } from '@floe/errors'
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

interface StoredFile {
  id: string
  name: string
  sizeBytes: number
  sha256: string | null
  addedEdition: number
  removedEdition: number | null
}

export interface Replica {
  run(jobName: string, payload?: unknown): Promise<void>
  /** As `kill -9` looks to others: its presence ends, what it had in hand stays as it is. */
  kill(): Promise<void>
}

/** The share service on a real database and a real server, with small neighbours. */
export interface ShareWorld {
  database: Database
  service: Service<'share'>
  settings: Settings
  /** What the service's clock says. */
  now: Date
  /** Errors the server could not name; empty unless something answered 500. */
  failures: unknown[]
  /** Files by share uid. */
  files: Map<string, StoredFile[]>
  signIn(options?: { isAdmin?: boolean }): { browser: Browser; identity: Identity }
  visit(cookies?: Record<string, string>): Browser
  /** Gives the share a file, as its owner would by uploading one. */
  addFile(shareId: string, file?: Partial<StoredFile>): Promise<void>
  /** Takes every file of that name out of the share, as its owner would. */
  removeFile(shareId: string, name: string): Promise<void>
  uidOf(shareId: string): Promise<string>
  eventsOf(shareId: string): Promise<string[]>
  /** Mails go there from now on, to recipients too. */
  useSmtp(smtp: Pick<SmtpCatcher, 'host' | 'port'>): void
  /** What the messages owed so far are called, oldest first, and takes them off the outbox. */
  takeOwedMails(): Promise<string[]>
  /** Another process over the same database, which lives until it is killed. */
  startReplica(): Promise<Replica>
  run(jobName: string, payload?: unknown): Promise<void>
  close(): Promise<void>
}

export async function openShareWorld(): Promise<ShareWorld> {
  const testDatabase = await createTestDatabase([
    { service: 'platform', migrations: outboxMigrations },
    { service: 'limits', migrations: limitMigrations },
    { service: 'share', migrations },
  ])
  const database = openDatabase({ url: testDatabase.url })

  const users = new Map<string, Identity>()
  const files = new Map<string, StoredFile[]>()
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
        file: createFiles(files),
        admin: {
          settings: async () => world.settings,
          logo: async () => ({ version: null }),
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

  async function uidOf(shareId: string): Promise<string> {
    const row = await database.knex('shares').where({ id: shareId }).first('uid')
    return row.uid
  }

  async function workingEditionOf(shareId: string): Promise<number> {
    const row = await database.knex('shares').where({ id: shareId }).first('edition')
    return row.edition + 1
  }

  return Object.assign(world, {
    database,
    service: { ...service, port: throughContract(sharePort, service.port) },
    failures,
    files,
    uidOf,
    signIn: ({ isAdmin = false } = {}) => {
      const identity = createIdentity(isAdmin)
      const accessToken = randomUUID()
      users.set(accessToken, identity)
      return { identity, browser: openBrowser(port, { access_token: accessToken }) }
    },
    visit: (cookies: Record<string, string> = {}) => openBrowser(port, cookies),
    addFile: async (shareId: string, file: Partial<StoredFile> = {}) => {
      const uid = await uidOf(shareId)
      const stored = {
        id: randomUUID(),
        name: 'a.txt',
        sizeBytes: 5,
        sha256: null,
        addedEdition: await workingEditionOf(shareId),
        removedEdition: null,
        ...file,
      }
      files.set(uid, [...(files.get(uid) ?? []), stored])
    },
    removeFile: async (shareId: string, name: string) => {
      const removedEdition = await workingEditionOf(shareId)
      for (const file of files.get(await uidOf(shareId)) ?? []) {
        if (file.name === name) file.removedEdition = removedEdition
      }
    },
    eventsOf: async (shareId: string) => {
      const rows = await database
        .knex('outbox')
        .whereRaw("payload->>'shareId' = ?", [shareId])
        .orderBy('id')
      return rows.map(({ name }: { name: string }) => name)
    },
    useSmtp: ({ host, port }: Pick<SmtpCatcher, 'host' | 'port'>) => {
      Object.assign(world.settings, {
        'smtp.enabled': true,
        'smtp.host': host,
        'smtp.port': port,
        'smtp.email': 'floe@example.org',
        'email.enableShareEmailRecipients': true,
      } satisfies Partial<Settings>)
    },
    takeOwedMails: async () => {
      const rows = await database
        .knex('outbox')
        .where({ name: 'share-mail.owed' })
        .delete(['id', 'payload'])
      return rows
        .sort((a, b) => a.id - b.id)
        .map(({ payload }: { payload: { mailId: string } }) => payload.mailId)
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

function createIdentity(isAdmin: boolean): Identity {
  const userId = randomUUID()
  const username = `user_${userId.slice(0, 8)}`
  return {
    userId,
    username,
    isAdmin,
    hasPassword: true,
    totpVerified: false,
    sessionId: randomUUID(),
    email: `${username}@example.org`,
  }
}

function createAuth(users: ReadonlyMap<string, Identity>): AuthPort {
  return {
    identify: async ({ accessToken }) => users.get(accessToken ?? '') ?? null,
    findUsers: async ({ ids }) =>
      [...users.values()]
        .filter(({ userId }) => ids.includes(userId))
        .map(({ userId, username, email }) => ({ id: userId, username, email })),
    countUsers: async () => ({ count: users.size }),
    storageLimit: async () => ({ maxBytes: null }),
    searchUsers: async ({ text }) =>
      [...users.values()]
        .filter(({ username, email }) => username.includes(text) || email.includes(text))
        .map(({ userId }) => userId),
  }
}

const downloadedAt = '2026-05-01T11:30:00.000Z'

/** Every file was downloaded twice, every archive once. */
function createFiles(files: Map<string, StoredFile[]>): FilePort {
  const list = ({ shareUid, edition }: Pick<ReadGrant, 'shareUid' | 'edition'>) =>
    (files.get(shareUid) ?? []).filter(
      ({ addedEdition, removedEdition }) =>
        addedEdition <= edition && (removedEdition === null || removedEdition > edition),
    )
  return {
    listFiles: async ({ grant, most }) => list(grant).slice(0, most),
    measureFiles: async ({ grant }) => {
      const listed = list(grant)
      const sizeBytes = listed.reduce((sum, file) => sum + file.sizeBytes, 0)
      return { fileCount: listed.length, sizeBytes }
    },
    listFilesOfShares: async ({ grants }) =>
      grants.map((grant) => ({ shareUid: grant.shareUid, files: list(grant) })),
    archiveStatus: async () => ({ isReady: true }),
    measureStorage: async () => ({ sizeBytes: 0 }),
    discardChanges: async ({ shareUid, edition }) => {
      const published = list({ shareUid, edition })
      for (const file of published) file.removedEdition = null
      files.set(shareUid, published)
      return {}
    },
    countDownloads: async ({ grant, only }) => {
      const listed = list(grant)
      const isKnown = only === null || only === 'zip' || listed.some(({ id }) => id === only)
      if (!isKnown) throw new AppError('file_not_found')
      return {
        hours: [],
        archive: { total: 1, lastDownloadedAt: downloadedAt },
        files: listed.map((file) => ({ ...file, total: 2, lastDownloadedAt: downloadedAt })),
      }
    },
    measureShares: async ({ shareUids }) =>
      shareUids.map((shareUid) => {
        const own = list({ shareUid, edition: Infinity })
        const sizeBytes = own.reduce((sum, file) => sum + file.sizeBytes, 0)
        return { shareUid, fileCount: own.length, sizeBytes }
      }),
  }
}

let lastShareNumber = 0

export function newShareId(): string {
  lastShareNumber += 1
  return `share-${lastShareNumber}-${randomUUID().slice(0, 8)}`
}

export function shareInput(id: string, rest: Record<string, unknown> = {}) {
  return { id, expiration: '7-days', recipients: [], ...rest }
}

/** Creates a share with one file and completes it; answers its id. */
export async function publishShare(
  world: ShareWorld,
  owner: Browser,
  rest: Record<string, unknown> = {},
): Promise<string> {
  const id = newShareId()
  const created = await owner.send('POST', '/api/shares', { body: shareInput(id, rest) })
  if (created.status !== 201) throw new Error(`create answered ${JSON.stringify(created.body)}`)
  await world.addFile(id)
  const completed = await owner.send('POST', `/api/shares/${id}/complete`)
  if (completed.status !== 202) throw new Error(`complete answered ${completed.status}`)
  return id
}

/** What a request without any cookie brings. */
export function strangerCredentials(rest: Partial<RequestCredentials> = {}): RequestCredentials {
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
