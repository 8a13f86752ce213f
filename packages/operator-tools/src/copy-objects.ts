import { createHash } from 'node:crypto'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { crc32 as updateCrc32 } from 'node:zlib'
import { advisoryLockClass, type Database, StartError } from '@floe/db'
import { isAppError } from '@floe/errors'
import type { RegisteredObject } from '@floe/file'
import type { ObjectStore } from '@floe/storage'

/** Read at once. */
export const COPY_BYTES = 1024 * 1024

/** The folder that the command line names, made if it is not there. Fails where it has anything. */
export async function prepareTarget(command: string): Promise<string> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [target, ...rest] = positionals
  if (target === undefined || rest.length > 0) {
    throw new StartError(`specify the folder to write to: npm run ${command} -- <folder>`)
  }
  const folder = resolve(target)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new StartError(`${folder} is not empty.`)
  return folder
}

/** No object is removed until `run` is done. */
export async function holdObjects<T>({ knex }: Database, run: () => Promise<T>): Promise<T> {
  return knex.transaction(async (holding) => {
    await holding.raw('set local idle_in_transaction_session_timeout = 0')
    // Waits for removals under way; those that come later leave their objects in place.
    await holding.raw('select pg_advisory_xact_lock(?, 0)', [advisoryLockClass.backup])
    return run()
  })
}

type ObjectToCopy = Pick<RegisteredObject, 'key' | 'sizeBytes' | 'isExact' | 'crc32'>

/** The bytes that the row tells of; more may have come since. Null where there are none. */
export async function copyObject(
  objects: ObjectStore,
  { key, sizeBytes: knownBytes, isExact, crc32 }: ObjectToCopy,
  { path, buffer, signal }: { path: string; buffer: Buffer; signal: AbortSignal },
): Promise<{ sizeBytes: number; sha256: string; isAsReceived: boolean } | null> {
  const reader = await objects.openReader(key).catch((error: unknown) => {
    if (isAppError(error, 'file_not_found')) return null
    throw error
  })
  if (reader === null) return null
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
