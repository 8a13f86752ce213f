import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, open, readFile, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Database,
  migrateAll,
  openDatabase,
  StartError,
  startEmbeddedPostgres,
} from '@floe/db'
import {
  type Difference,
  openIntegrityCheck,
  openIntegrityRepair,
  republishFileEvents,
} from '@floe/file'
import { markShareLost, openShareRegister, republishShareEvents } from '@floe/share'
import type { ObjectStore } from '@floe/storage'
import { openInstalledObjects } from '@floe/runtime/host'
import {
  type Manifest,
  type ObjectEntry,
  objectListPath,
  objectPath,
  objectSchema,
  readLines,
  readManifest,
  secretPath,
} from './backup-format.ts'
import { type CommandContext, count, runCommand } from './command.ts'
import { describeDifference } from './describe-difference.ts'
import { loadTables, readLedgers } from './database-dump.ts'
import { knownMigrations } from './known-migrations.ts'

const BUFFER_BYTES = 1024 * 1024

/** Fills an empty installation; the next start brings an older backup up to date. */
async function restore(context: CommandContext): Promise<number> {
  const folder = readSource()
  const manifest = await readManifest(folder)
  refuseUnknown(manifest)
  const bringsKey = await checkSecretKey(context, folder, manifest)
  const database = await openEmptyDatabase(context, manifest)
  const objects = await openInstalledObjects(context.environment, { database, ...context })
  await requireNoObjects(objects)
  const entries = await restoreObjects(objects, folder, manifest, context.signal)
  await migrateTo(database, manifest)
  await database.knex.transaction(async (trx) => {
    await loadTables(trx, folder, manifest.tables)
    await republishShareEvents(trx)
    await republishFileEvents(trx)
  })
  if (bringsKey) await restoreSecretKey(context, folder)
  const left = await settle(database, objects, { entries, signal: context.signal })
  for (const difference of left) console.log(describeDifference(difference))
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(`restored ${count(rows, 'row')}, ${count(manifest.objects.count, 'object')}`)
  if (manifest.secretKey === null && context.environment.internalSecret === null) {
    console.log(
      'Start Floe with the previous INTERNAL_SECRET; its secret settings cannot be decrypted otherwise.',
    )
  }
  return left.length === 0 ? 0 : 1
}

function readSource(): string {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [source, ...rest] = positionals
  if (source === undefined || rest.length > 0) {
    throw new StartError('specify the backup folder: npm run restore -- <folder>')
  }
  return resolve(source)
}

function refuseUnknown({ migrations }: Manifest): void {
  for (const [service, names] of Object.entries(migrations)) {
    const found = knownMigrations.find((one) => one.service === service)
    const known = new Set(found?.migrations.map(({ name }) => name))
    const unknown = names.find((name) => !known.has(name))
    if (unknown !== undefined) {
      throw new StartError(
        `the backup was made by a newer version of Floe, with the migration ${service} ${unknown}.`,
      )
    }
  }
}

async function requireNoObjects(objects: ObjectStore): Promise<void> {
  for await (const { key } of objects.list()) {
    throw new StartError(`this installation is not empty: it has the object ${key}.`)
  }
}

async function openEmptyDatabase(
  { environment: { databaseUrl, dataDirectory }, log, shutdown }: CommandContext,
  manifest: Manifest,
): Promise<Database> {
  const start = async () => {
    await mkdir(dataDirectory, { recursive: true })
    const postgres = await startEmbeddedPostgres({ dataDir: dataDirectory, log })
    shutdown.add('postgres', () => postgres.stop())
    return postgres.url
  }
  const database = openDatabase({ url: databaseUrl ?? (await start()), maxConnections: 4 })
  shutdown.add('database', () => database.close())
  await database.knex.transaction(async (trx) => {
    const ledgers = await readLedgers(trx)
    for (const [service, names] of Object.entries(ledgers)) {
      const saved = new Set(manifest.migrations[service])
      if (names.some((name) => !saved.has(name))) {
        throw new StartError('the database is newer than the backup; start with an empty one.')
      }
    }
    for (const table of ['users', 'shares', 'files', 'uploads']) {
      if (!(await trx.schema.hasTable(table))) continue
      if (await trx(table).first()) {
        throw new StartError(`this installation is not empty: it has ${table}.`)
      }
    }
  })
  return database
}

/** Migrates as far as the backup was, so that its rows fit. */
async function migrateTo(database: Database, { migrations }: Manifest): Promise<void> {
  const reached = knownMigrations.map(({ service, migrations: known }) => {
    const saved = new Set(migrations[service])
    return { service, migrations: known.filter(({ name }) => saved.has(name)) }
  })
  await migrateAll(database, reached)
}

/** All of them, each with the bytes that were saved, or none. */
async function restoreObjects(
  objects: ObjectStore,
  folder: string,
  { objects: list }: Manifest,
  signal: AbortSignal,
): Promise<ObjectEntry[]> {
  const entries: ObjectEntry[] = []
  for await (const lines of readLines(objectListPath(folder), list)) {
    entries.push(...lines.map((line) => objectSchema.parse(JSON.parse(line))))
  }
  const begun: string[] = []
  try {
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
    for (const { key, stored } of entries) {
      signal.throwIfAborted()
      if (stored === undefined) continue
      begun.push(key)
      const sha256 = await restoreObject(objects, key, objectPath(folder, key), buffer)
      if (sha256 !== stored.sha256) throw new StartError(`the object ${key} is damaged.`)
    }
  } catch (error) {
    await objects.remove(begun)
    throw error
  }
  return entries
}

async function restoreObject(
  objects: ObjectStore,
  key: string,
  path: string,
  buffer: Buffer,
): Promise<string> {
  const sha256 = createHash('sha256')
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    await objects.create(key, { expectedBytes: size })
    const writer = await objects.openWriter(key, { offsetBytes: 0 })
    try {
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length)
        if (bytesRead === 0) break
        const chunk = buffer.subarray(0, bytesRead)
        sha256.update(chunk)
        await writer.write([chunk])
      }
      await writer.finish()
    } finally {
      await writer.close()
    }
  } finally {
    await file.close()
  }
  return sha256.digest('hex')
}

/** False where there is none, or none to be kept: it is the INTERNAL_SECRET already. */
async function checkSecretKey(
  { environment: { internalSecret } }: CommandContext,
  folder: string,
  { secretKey }: Manifest,
): Promise<boolean> {
  if (secretKey === null) return false
  const bytes = await readFile(secretPath(folder))
  if (createHash('sha256').update(bytes).digest('hex') !== secretKey) {
    throw new StartError('the secret.key in the backup is damaged.')
  }
  if (internalSecret === null) return true
  if (internalSecret !== bytes.toString().trim()) {
    throw new StartError(
      `second factors and secret settings are encrypted with the key of the backup; set INTERNAL_SECRET to the content of ${secretPath(folder)}.`,
    )
  }
  return false
}

async function restoreSecretKey(
  { environment: { dataDirectory } }: CommandContext,
  folder: string,
): Promise<void> {
  await mkdir(dataDirectory, { recursive: true })
  const draft = join(dataDirectory, '.secret.key.restored')
  await copyFile(secretPath(folder), draft)
  await chmod(draft, 0o600)
  await rename(draft, join(dataDirectory, 'secret.key'))
}

/**
 * What was under way when it was saved is ended here: objects that had gone before they were copied, and
 * shares whose removal was still to come. Returns what differs nevertheless.
 */
async function settle(
  database: Database,
  objects: ObjectStore,
  { entries, signal }: { entries: readonly ObjectEntry[]; signal: AbortSignal },
): Promise<Difference[]> {
  const marking = { markLost: (uid: string) => markShareLost(database, uid) }
  const repairing = openIntegrityRepair({ database, objects, shares: marking })
  for (const { key, owner, stored } of entries) {
    if (stored === undefined) await repairing.forget({ key, owner })
  }
  const shares = openShareRegister(database)
  const integrity = await openIntegrityCheck({ database, objects, shares, pauseMs: 0 })
  const { differences } = await integrity.run({ isDeep: false, signal })
  const left: Difference[] = []
  for (const difference of differences) {
    if (difference.kind === 'share_gone') await repairing.repair(difference)
    else left.push(difference)
  }
  return left
}

/** Fills an empty installation; returns the exit code that `bin/restore.mjs` describes. */
export function runRestore(): Promise<number> {
  return runCommand({ name: 'restore', failure: 'Nothing was restored' }, restore)
}
