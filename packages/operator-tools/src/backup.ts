import { createHash } from 'node:crypto'
import { copyFile, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { crc32 as updateCrc32 } from 'node:zlib'
import { parseArgs } from 'node:util'
import { RELEASE_VERSION } from '@floe/contracts'
import { advisoryLockClass, type Database, type Knex, queryIn, StartError } from '@floe/db'
import { isAppError } from '@floe/errors'
import { listObjects, type RegisteredObject } from '@floe/file'
import type { ObjectStore } from '@floe/storage'
import { openInstalledObjects } from '@floe/runtime/host'
import {
  createLineFile,
  FORMAT,
  type Manifest,
  type ObjectEntry,
  objectListPath,
  objectPath,
  secretPath,
  writeManifest,
} from './backup-format.ts'
import { type CommandContext, count, openInstalledDatabase, runCommand } from './command.ts'
import { dumpTables, readLedgers } from './database-dump.ts'

const BUFFER_BYTES = 1024 * 1024

/**
 * The database as of one moment, then every object it knows. Until the end no object is removed, so
 * all of them are there however long it takes; the snapshot itself is held for the tables alone.
 */
async function backup(context: CommandContext): Promise<number> {
  const folder = await prepareFolder(readTarget())
  const database = await openInstalledDatabase(context)
  const objects = await openInstalledObjects(context.environment, { database, ...context })
  const createdAt = new Date()
  return database.knex.transaction(async (holding) => {
    await holding.raw('set local idle_in_transaction_session_timeout = 0')
    // Waits for removals under way; those that come later leave their objects in place.
    await holding.raw('select pg_advisory_xact_lock(?, 0)', [advisoryLockClass.backup])
    const { registered, ...snapshot } = await dumpDatabase(database, folder)
    const copied = await copyObjects(objects, registered, folder, context.signal)
    const secretKey = await copySecretKey(context, folder)
    const { problems, ...list } = copied
    await writeManifest(folder, {
      format: FORMAT,
      version: RELEASE_VERSION,
      createdAt: createdAt.toISOString(),
      ...snapshot,
      objects: list,
      secretKey,
    })
    for (const problem of problems) console.log(problem)
    const rows = snapshot.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(`saved ${count(rows, 'row')}, ${count(list.count, 'object')} to ${folder}`)
    if (secretKey === null) {
      console.log(
        'INTERNAL_SECRET is not part of the backup; without it, secret settings cannot be decrypted.',
      )
    }
    return problems.length === 0 ? 0 : 1
  })
}

function readTarget(): string {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [target, ...rest] = positionals
  if (target === undefined || rest.length > 0) {
    throw new StartError('specify the folder to write to: npm run backup -- <folder>')
  }
  return resolve(target)
}

async function prepareFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new StartError(`${folder} is not empty.`)
  await mkdir(join(folder, 'tables'))
  await mkdir(join(folder, 'objects'))
  return folder
}

async function dumpDatabase({ knex }: Database, folder: string) {
  return knex.transaction(
    async (trx: Knex.Transaction) => {
      const migrations = await readLedgers(trx)
      if (Object.keys(migrations).length === 0) {
        throw new StartError('nothing to back up: Floe was never started with this database.')
      }
      const tables = await dumpTables(trx, folder)
      const registered: RegisteredObject[] = []
      for await (const object of listObjects(queryIn(trx))) registered.push(object)
      return { migrations, tables, registered }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

async function copyObjects(
  objects: ObjectStore,
  registered: readonly RegisteredObject[],
  folder: string,
  signal: AbortSignal,
): Promise<Manifest['objects'] & { problems: string[] }> {
  const list = await createLineFile(objectListPath(folder))
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  const problems: string[] = []
  let copied = 0
  let bytes = 0
  for (const object of registered) {
    signal.throwIfAborted()
    const stored = await copyObject(objects, object, { folder, buffer, signal })
    if (stored === null) {
      if (object.mayBeMissing) continue
      if (object.isExact) problems.push(`missing: ${object.owner} ${object.key}`)
      await list.write([toLine({ key: object.key, owner: object.owner })])
      continue
    }
    const { isAsReceived, ...written } = stored
    if (!isAsReceived) problems.push(`altered: ${object.owner} ${object.key}`)
    copied += 1
    bytes += written.sizeBytes
    await list.write([toLine({ key: object.key, owner: object.owner, stored: written })])
  }
  return { count: copied, bytes, ...(await list.finish()), problems }
}

function toLine(entry: ObjectEntry): string {
  return JSON.stringify(entry)
}

/** The bytes that the row tells of; more may have come since. Null where there are none. */
async function copyObject(
  objects: ObjectStore,
  { key, sizeBytes: knownBytes, isExact, crc32 }: RegisteredObject,
  { folder, buffer, signal }: { folder: string; buffer: Buffer; signal: AbortSignal },
): Promise<{ sizeBytes: number; sha256: string; isAsReceived: boolean } | null> {
  const reader = await objects.openReader(key).catch((error: unknown) => {
    if (isAppError(error, 'file_not_found')) return null
    throw error
  })
  if (reader === null) return null
  const path = objectPath(folder, key)
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'wx', 0o600)
  try {
    const sha256 = createHash('sha256')
    let crc = 0
    let position = 0
    for (;;) {
      signal.throwIfAborted()
      const wanted = isExact ? buffer.length : Math.min(buffer.length, knownBytes - position)
      const bytes = wanted > 0 ? await reader.read(buffer.subarray(0, wanted), position) : 0
      if (bytes === 0) break
      const chunk = buffer.subarray(0, bytes)
      sha256.update(chunk)
      crc = updateCrc32(chunk, crc)
      await file.writeFile(chunk)
      position += bytes
    }
    await file.datasync()
    const isAsReceived = position === knownBytes && (crc32 === null || crc === crc32)
    return { sizeBytes: position, sha256: sha256.digest('hex'), isAsReceived }
  } finally {
    await reader.close()
    await file.close()
  }
}

async function copySecretKey(
  { environment: { internalSecret, dataDirectory } }: CommandContext,
  folder: string,
): Promise<string | null> {
  if (internalSecret !== null) return null
  const source = join(dataDirectory, 'secret.key')
  try {
    await copyFile(source, secretPath(folder))
  } catch (error) {
    // Made by the first setting that is sealed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return createHash('sha256')
    .update(await readFile(secretPath(folder)))
    .digest('hex')
}

/** Writes an installation to a folder; returns the exit code that `bin/backup.mjs` describes. */
export function runBackup(): Promise<number> {
  return runCommand({ name: 'backup', failure: 'There is no backup' }, backup)
}
