import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import {
  type AdminPort,
  type AuthPort,
  type JobContract,
  type JobPayload,
  jobs,
} from '@floe/contracts'
import { type Database, openDatabase, openPresence, outboxMigrations } from '@floe/db'
import { createRouter, errorHandler, notFoundHandler } from '@floe/http'
import { createLog } from '@floe/log'
import { createMailer } from '@floe/mail'
import { createPostgresQueue, type JobQueue } from '@floe/queue'
import { createSecrets } from '@floe/secrets'
import { createTestDatabase } from '@floe/testing'
import express from 'express'
import { adminService, migrations } from '../index.ts'
import { createPeers, type DailyMetrics } from './peers.ts'

/** Access tokens the test's own identity port knows. */
export const ADMIN_TOKEN = 'administrator'
export const USER_TOKEN = 'somebody'

export interface HttpResponse<T = unknown> {
  status: number
  headers: Headers
  text: string
  body: T
}

export interface AdminServer {
  database: Database
  port: AdminPort
  /** What the other services return. */
  metrics: DailyMetrics
  /** The queue that the service looks into. */
  openQueue(): Promise<JobQueue>
  send(method: string, path: string, options?: SendOptions): Promise<HttpResponse>
  passMs(ms: number): void
  now(): number
  /** Delivers the recorded audit events to this service, each once. */
  deliverAuditEvents(): Promise<void>
  runJob<J extends JobContract>(job: J, payload: JobPayload<J>, signal?: AbortSignal): Promise<void>
  /** A second replica on the same database; with the same key unless given another. */
  replicate(key?: Buffer): Promise<AdminServer>
  close(): Promise<void>
}

export interface SendOptions {
  token?: string
  /** A text, a form or a stream is sent as it is, the rest as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

/** The service on a database and a port of its own. */
export async function startAdminServer(publicUrl: string | null = null): Promise<AdminServer> {
  const testDatabase = await createTestDatabase([
    { service: 'platform', migrations: outboxMigrations },
    { service: 'admin', migrations },
  ])
  const database = openDatabase({ url: testDatabase.url })
  const metrics = {
    scans: null,
    storageBytes: 0,
    shares: 0,
    users: 0,
    disk: null,
    administrators: [],
    isCut: false,
    isFileCut: false,
  }
  let queue: Promise<JobQueue> | null = null
  const openQueue = () =>
    (queue ??= createPostgresQueue({
      databaseUrl: testDatabase.url,
      log: createLog({ level: 'silent', service: 'queue' }),
    }))
  const { url } = testDatabase
  const server = await serve({ database, url, publicUrl, key: randomBytes(32), metrics, openQueue })
  return {
    ...server,
    close: async () => {
      await server.close()
      await (await queue)?.close()
      await database.close()
      await testDatabase.drop()
    },
  }
}

interface Place {
  database: Database
  /** Address of the database. */
  url: string
  publicUrl: string | null
  /** Key of the installation's secrets. */
  key: Buffer
  metrics: DailyMetrics
  openQueue(): Promise<JobQueue>
}

async function serve(place: Place): Promise<AdminServer> {
  const { database, publicUrl, metrics, openQueue } = place
  const { countUsers, listAdministrators, ...peers } = createPeers(metrics)
  const secrets = createSecrets({ key: place.key })
  const log = createLog({ level: 'silent', service: 'admin' })
  // Time stands still unless a test moves it, so that the cache never expires by itself.
  let nowMs = Date.now()
  const presence = await openPresence({ url: place.url })
  const { routes, port, consumers } = await adminService.create({
    platform: {
      database,
      presence,
      secrets,
      mailer: createMailer(),
      log,
      clock: () => new Date(nowMs),
      publicUrl,
      // Where nothing listens.
      providerUrls: { githubApi: 'http://127.0.0.1:9' },
      webhookNetworks: ['127.0.0.0/8'],
      openQueue,
    },
    ports: { auth: { ...identityPort, countUsers, listAdministrators }, ...peers },
  })
  async function runJob(job: JobContract, payload: unknown, signal = new AbortController().signal) {
    const consumer = consumers.find((one) => one.job === job)
    if (!consumer) throw new Error(`${job.name} has no consumer here`)
    await consumer.handle(payload, { signal })
  }
  const app = express()
  app.use(createRouter(routes), notFoundHandler(), errorHandler(log))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    database,
    port,
    metrics,
    openQueue,
    send: (method, path, options) => send(method, address + path, options),
    now: () => nowMs,
    passMs: (ms) => {
      nowMs += ms
    },
    deliverAuditEvents: async () => {
      const auditEvents = await database
        .knex('outbox')
        .where({ name: 'act.done' })
        .delete('payload')
      for (const { payload } of auditEvents) await runJob(jobs.recordAuditEvent, payload)
    },
    runJob,
    replicate: (key = place.key) => serve({ ...place, key }),
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
      await presence.close()
    },
  }
}

const identityPort: Omit<AuthPort, 'countUsers' | 'listAdministrators'> = {
  checkToken: async () => ({ isInScope: false }),
  listOwnData: () => Promise.reject(new Error('not asked here')),
  identify: ({ accessToken }) =>
    Promise.resolve(
      accessToken === ADMIN_TOKEN || accessToken === USER_TOKEN
        ? {
            userId: '00000000-0000-4000-8000-000000000001',
            sessionId: '00000000-0000-4000-8000-000000000002',
            username: accessToken,
            email: `${accessToken}@example.org`,
            isAdmin: accessToken === ADMIN_TOKEN,
            hasPassword: true,
            totpVerified: false,
            emailStanding: 'assumed',
          }
        : null,
    ),
  findUsers: ({ ids }) =>
    Promise.resolve(
      ids.map((id) => ({
        ...{ id, username: 'owner', email: `${id}@example.org`, showsName: false },
        ...{ isAdmin: false, sharingExceptions: {} },
      })),
    ),
  storageLimit: () => Promise.resolve({ maxBytes: null, maxShareBytes: null }),
  searchUsers: () => Promise.resolve([]),
  hasWorkingProvider: () => Promise.resolve({ isThere: false }),
}

async function send(
  method: string,
  url: string,
  { token, body, headers = {} }: SendOptions = {},
): Promise<HttpResponse> {
  const isForm = body instanceof FormData
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { cookie: `access_token=${token}` }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: toBody(body), duplex: 'half' }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : null,
  }
}

function toBody(body: unknown): string | FormData | AsyncIterable<Uint8Array> {
  if (typeof body === 'string' || body instanceof FormData) return body
  const isStream = typeof body === 'object' && body !== null && Symbol.asyncIterator in body
  return isStream ? (body as AsyncIterable<Uint8Array>) : JSON.stringify(body)
}
