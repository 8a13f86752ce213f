import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type FilePort, ownerTokenCookie } from '@floe/contracts'
import { type Database, migrate, openDatabase, openPresence, outboxMigrations } from '@floe/db'
import { createHttpServer, createRouter, errorHandler, notFoundHandler } from '@floe/http'
import { createLog } from '@floe/log'
import type { JobConsumer } from '@floe/runtime'
import { createDiskStore, type DiskStoreOptions, type ObjectStore } from '@floe/storage'
import { createTransferMemory } from '@floe/transfer'
import { createS3Store, s3Migrations } from '@floe/storage/s3'
import { createTestDatabase, reserveS3Server, type S3Program } from '@floe/testing'
import express from 'express'
import { type FilePlatform, fileService, migrations } from '../index.ts'
import { createStorageUsage } from '../quotas/stores/storage-usage-store.ts'
import { type Call, type ReceivedResponse, send } from './http-client.ts'
import { createTestPorts, type TestPorts, type TestShare } from './test-ports.ts'

export interface ReplicaOptions {
  bootId?: string
  /** Stands between service and disk, to make it fail. */
  wrapObjects?: (objects: ObjectStore) => ObjectStore
}

/** One process of the file service, as far as the others can tell. */
export interface Replica {
  port: number
  /** What it offers the other services. */
  files: FilePort
  send(method: string, path: string, call?: Call): Promise<ReceivedResponse>
  runJob(name: string, payload?: unknown, signal?: AbortSignal): Promise<void>
  /** As `kill -9`: connections break, nothing is saved, the presence connection is gone. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** A database and a directory of objects, and as many replicas over them as a test wants. */
export interface FileWorld {
  database: Database
  objects: ObjectStore
  ports: TestPorts
  clock: { now: Date }
  startReplica(options?: ReplicaOptions): Promise<Replica>
  /** Counters against files and unfinished uploads; empty when every one adds up. */
  findMiscounts(): Promise<object[]>
  close(): Promise<void>
}

export interface FileWorldOptions {
  /** Where they are at rest: a directory, or an S3 server of their own. */
  objectsIn?: 'files' | S3Program
  /** Browsers may be sent to that server. */
  hasPublicAddresses?: boolean
  /** Where the virus scanner listens. */
  clamav?: FilePlatform['clamav']
  /** A proxy in front sends files from the directory. */
  sendfile?: DiskStoreOptions['sendfile']
}

export async function createFileWorld({
  objectsIn = 'files',
  hasPublicAddresses = false,
  clamav = null,
  sendfile,
}: FileWorldOptions = {}): Promise<FileWorld> {
  const { url, drop } = await createTestDatabase([
    { service: 'platform', migrations: outboxMigrations },
    { service: 'file', migrations },
  ])
  const directory = await mkdtemp(join(tmpdir(), 'floe-file-'))
  const database = openDatabase({ url, maxConnections: 10 })
  const place =
    objectsIn === 'files'
      ? inDirectory({ directory, ...(sendfile && { sendfile }) })
      : await startS3(objectsIn, database, hasPublicAddresses)
  const objects = place.open()
  const ports = createTestPorts()
  const clock = { now: new Date() }
  const replicas = new Set<Replica>()

  return {
    database,
    objects,
    ports,
    clock,
    startReplica: async ({ bootId, wrapObjects = (store: ObjectStore) => store } = {}) => {
      const ownDatabase = openDatabase({ url, maxConnections: 10 })
      const presence = await openPresence({ url })
      const service = await fileService.create({
        platform: {
          database: ownDatabase,
          presence,
          objects: wrapObjects(place.open()),
          memory: createTransferMemory({ totalBytes: 32 * 1024 * 1024 }),
          log: createLog({ level: 'silent', service: 'file' }),
          clamav,
          clock: () => clock.now,
          ...(bootId !== undefined && { bootId }),
        },
        ports,
      })
      const server = createHttpServer({ onRequest: createApp(service.routes) })
      const port = await listen(server)
      const replica: Replica = {
        port,
        files: service.port,
        send: (method, path, call) => send(port, method, path, call),
        runJob: (name, payload = {}, signal = new AbortController().signal) =>
          runJob(service.consumers, name, payload, signal),
        kill: async () => {
          await presence.close()
          await ownDatabase.close()
          server.closeAllConnections()
          await replica.stop()
        },
        stop: async () => {
          if (!replicas.delete(replica)) return
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
          await service.stop().catch(() => undefined)
          await presence.close()
          await ownDatabase.close()
        },
      }
      replicas.add(replica)
      return replica
    },
    findMiscounts: () => createStorageUsage(database).findMiscounts(),
    close: async () => {
      for (const replica of replicas) await replica.stop()
      await place.close()
      await database.close()
      await drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

interface ObjectPlace {
  /** The same objects, as another process opens them. */
  open(): ObjectStore
  close(): Promise<void>
}

function inDirectory(options: DiskStoreOptions): ObjectPlace {
  return { open: () => createDiskStore(options), close: () => Promise.resolve() }
}

async function startS3(
  program: S3Program,
  database: Database,
  hasPublicAddresses: boolean,
): Promise<ObjectPlace> {
  const server = await reserveS3Server(program)
  const { endpoint, accessKey, secretKey } = server
  await server.start()
  await migrate(database, { service: 's3', migrations: s3Migrations })
  const access = {
    ...{ endpoint, accessKey, secretKey, region: 'us-east-1', bucket: 'floe' },
    ...(hasPublicAddresses && { publicEndpoint: endpoint }),
  }
  const first = createS3Store({ ...access, database })
  await first.prepare()
  const opened = [first]
  return {
    open() {
      const store = createS3Store({ ...access, database })
      opened.push(store)
      return store
    },
    async close() {
      for (const store of opened) store.close()
      await server.remove()
    },
  }
}

function createApp(routes: Parameters<typeof createRouter>[0]) {
  const app = express()
  app.use(createRouter(routes))
  app.use(notFoundHandler())
  app.use(errorHandler({ error: () => undefined }))
  return app
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

async function runJob(
  consumers: readonly JobConsumer[],
  name: string,
  payload: unknown,
  signal: AbortSignal,
) {
  const consumer = consumers.find(({ job }) => job.name === name)
  if (!consumer) throw new Error(`no job ${name}`)
  await consumer.handle(payload, { signal })
}

/** The headers that make a request the owner's. */
export function ownerHeaders({ id, userId, ownerToken }: TestShare): Record<string, string> {
  return {
    Cookie:
      userId === null ? `${ownerTokenCookie(id)}=${ownerToken}` : `access_token=token-${userId}`,
  }
}

export function encodeMetadata(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

export const tus = { 'Tus-Resumable': '1.0.0' }
export const octets = { 'Content-Type': 'application/offset+octet-stream' }

/** Headers of a creation in this share. */
export function creation(
  share: TestShare,
  headers: Record<string, string> = {},
  filename = `${randomUUID()}.bin`,
): Record<string, string> {
  return {
    ...tus,
    ...ownerHeaders(share),
    'Upload-Metadata': encodeMetadata({ shareId: share.id, filename }),
    ...headers,
  }
}

export function append(offsetBytes: number, headers: Record<string, string> = {}) {
  return { ...tus, ...octets, 'Upload-Offset': String(offsetBytes), ...headers }
}

/** Creates an upload and returns its path. */
export async function createUpload(
  replica: Replica,
  share: TestShare,
  headers: Record<string, string>,
  filename?: string,
): Promise<string> {
  const response = await replica.send('POST', '/api/uploads', {
    headers: creation(share, headers, filename),
  })
  if (response.status !== 201) throw new Error(`creation: ${response.status} ${response.text}`)
  return String(response.headers['location'])
}

export async function inspectOffset(replica: Replica, path: string): Promise<number> {
  const response = await replica.send('HEAD', path, { headers: tus })
  if (response.status !== 200) throw new Error(`HEAD: ${response.status} ${String(response.code)}`)
  return Number(response.headers['upload-offset'])
}

/** What the share holds now, by its rows and their objects. */
export async function storedFiles({ database, objects }: FileWorld, { uid }: TestShare) {
  const rows = await database.knex('files').where({ share_uid: uid }).orderBy('name')
  return Promise.all(
    rows.map(async (row) => ({
      id: String(row.id),
      name: String(row.name),
      sizeBytes: Number(row.size_bytes),
      crc32: Number(row.crc32),
      sha256: await digestObject(objects, String(row.object_key)),
    })),
  )
}

async function digestObject(objects: ObjectStore, key: string): Promise<string> {
  const reader = await objects.openReader(key)
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(256 * 1024)
  let position = 0
  for (;;) {
    const bytes = await reader.read(buffer, position)
    if (bytes === 0) break
    hash.update(buffer.subarray(0, bytes))
    position += bytes
  }
  await reader.close()
  return hash.digest('hex')
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function makeBytes(count: number): Buffer {
  return randomBytes(count)
}

/** Asks again until it holds; fails when it does not in time. */
export async function eventually(holds: () => Promise<boolean>, timeoutMs = 5_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('did not come true in time')
    await delay(5)
  }
}
