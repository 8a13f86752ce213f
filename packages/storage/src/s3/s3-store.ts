import { crc32 } from 'node:zlib'
import type { Database } from '@floe/db'
import { AppError } from '@floe/errors'
import {
  beginning,
  eachAtOnce,
  isObjectKey,
  type ObjectKey,
  type ObjectStore,
  shareRuns,
  type WholeObject,
} from '@floe/storage'
import { createTransferMemory, type TransferMemory } from '@floe/transfer'
import { concatenate } from './concatenate.ts'
import { claimBucket } from './installation-mark.ts'
import { createObjectTable } from './object-table.ts'
import { createPartMemory } from './part-memory.ts'
import { planParts } from './part-plan.ts'
import { prepareBucket } from './prepare-bucket.ts'
import { createPublicAddresses } from './public-address.ts'
import { createS3Calls } from './s3-calls.ts'
import type { S3Options } from './s3-client.ts'
import { openS3Reader } from './s3-reader.ts'
import { openS3Writer, type S3Dependencies } from './s3-writer.ts'
import type { Source } from './send-sources.ts'

export interface S3StoreOptions extends S3Options {
  /** With `s3Migrations` applied. */
  database: Pick<Database, 'knex'>
  /** That of all transfers in the process: parts on their way take theirs out of it. */
  memory?: TransferMemory
}

export interface S3Store extends ObjectStore {
  /**
   * Makes the bucket where it is missing, and marks it as this installation's own. Rejects with a
   * `StartError` that says what is wrong.
   */
  prepare(): Promise<void>
  close(): void
}

/**
 * Objects in S3, each at the address `objects/<key>`. Which parts a growing object has, and the
 * bytes behind the last whole one, stand in PostgreSQL, so that any replica goes on where another
 * ended. S3 is called once for each part and twice more; nothing touches a local disk.
 */
export function createS3Store(options: S3StoreOptions): S3Store {
  const calls = createS3Calls(options)
  const table = createObjectTable(options.database)
  const memory = createPartMemory({ memory: options.memory ?? createTransferMemory() })
  const dependencies = { calls, table, memory }
  const concatenateOnce = shareRuns((key: ObjectKey, sources: readonly Source[]) =>
    concatenate(dependencies, key, sources),
  )
  const { publicEndpoint } = options
  const addressOf =
    publicEndpoint === undefined ? null : createPublicAddresses(publicEndpoint, options)

  return {
    prepare: () => prepareBucket(calls, options, () => claimBucket(calls, options.database)),
    async create(key, { expectedBytes } = {}) {
      check(key)
      await table.add(key, planParts(expectedBytes))
    },
    async openWriter(key, { offsetBytes }) {
      check(key)
      return openS3Writer(dependencies, key, offsetBytes)
    },
    async recover(key, { noted, takesMore, expectedBytes }) {
      check(key)
      const object = await table.find(key)
      if (object === null) {
        await table.add(key, planParts(expectedBytes ?? undefined))
        return beginning
      }
      // All that is recorded here survived; what lay in the memory of the writer did not.
      const { offsetBytes, crc32 } = object.synced
      return takesMore || offsetBytes <= noted.offsetBytes ? { offsetBytes, crc32 } : noted
    },
    async putSmall(key, chunks) {
      check(key)
      const bytes = Buffer.concat(chunks)
      await putWhole(dependencies, [{ objectKey: key, bytes, crc32: crc32(bytes) }])
    },
    async putMany(objects) {
      check(...objects.map(({ objectKey }) => objectKey))
      await putWhole(dependencies, objects)
    },
    async storedBytes(key) {
      check(key)
      const object = await table.find(key)
      return object?.isFinished ? calls.sizeOf(key) : (object?.synced.offsetBytes ?? null)
    },
    async openReader(key, span) {
      check(key)
      return openS3Reader(calls, key, span)
    },
    async handOff(key, headers) {
      check(key)
      return addressOf && { kind: 'redirect', address: await addressOf(key, headers) }
    },
    adopt: () => Promise.resolve(false),

    async concatenate(key, sources) {
      check(key, ...sources.map((source) => source.key))
      return concatenateOnce(key, sources)
    },
    async remove(keys) {
      check(...keys)
      await removeObjects(dependencies, keys)
    },
    async *list() {
      yield* calls.list()
      yield* table.growing()
    },
    async freeBytes() {
      return null
    },
    async measureDisk() {
      return null
    },
    close: () => calls.close(),
  }
}

/** Requests for one batch of objects under way at the same time. */
const PUTS_AT_ONCE = 32

async function putWhole(
  { calls, table }: S3Dependencies,
  objects: readonly WholeObject[],
): Promise<void> {
  if (objects.length === 0) return
  const keys = objects.map(({ objectKey }) => objectKey)
  await table.addWhole(
    objects.map((object) => ({
      key: object.objectKey,
      whole: { offsetBytes: object.bytes.byteLength, crc32: object.crc32 },
    })),
  )
  try {
    await eachAtOnce(objects, PUTS_AT_ONCE, (object) =>
      calls.put(object.objectKey, object.bytes, object.crc32),
    )
  } catch (error) {
    // The keys are free again; should that fail too, the objects are known and absent.
    await table.remove(keys).catch(() => undefined)
    throw error
  }
}

async function removeObjects(
  { calls, table }: S3Dependencies,
  keys: readonly ObjectKey[],
): Promise<void> {
  // S3 is asked for the uploads: a process may have died before it recorded one that it began.
  for (const key of await table.growingAmong(keys)) await calls.abortAll(key)
  await calls.remove(keys)
  // Last, so that the objects are found again if one of the calls before fails.
  await table.remove(keys)
}

function check(...keys: readonly string[]): void {
  if (!keys.every(isObjectKey)) throw new AppError('internal', { detail: 'malformed object key' })
}
