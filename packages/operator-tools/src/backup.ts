import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RELEASE_VERSION } from '@floe/contracts'
import { type Database, type Knex, queryIn, StartError } from '@floe/db'
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
import { COPY_BYTES, copyObject, holdObjects, prepareTarget } from './copy-objects.ts'
import { dumpTables, readLedgers } from './database-dump.ts'

/**
 * The database as of one moment, then every object it knows. Until the end no object is removed, so
 * all of them are there however long it takes; the snapshot itself is held for the tables alone.
 */
async function backup(context: CommandContext): Promise<number> {
  const folder = await prepareFolder()
  const database = await openInstalledDatabase(context)
  const objects = await openInstalledObjects(context.environment, { database, ...context })
  const createdAt = new Date()
  return holdObjects(database, async () => {
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

async function prepareFolder(): Promise<string> {
  const folder = await prepareTarget('backup')
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
  const buffer = Buffer.allocUnsafe(COPY_BYTES)
  const problems: string[] = []
  let copied = 0
  let bytes = 0
  for (const object of registered) {
    signal.throwIfAborted()
    const path = objectPath(folder, object.key)
    const stored = await copyObject(objects, object, { path, buffer, signal })
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
