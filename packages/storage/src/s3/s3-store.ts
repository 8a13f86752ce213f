import { crc32 } from 'node:zlib'
import type { Database } from '@floe/db'
import { AppError } from '@floe/errors'
import { isObjectKey, type ObjectKey, type ObjectStore } from '@floe/storage'
import { sendSources, type Source } from './concatenate.ts'
import { createObjectTable } from './object-table.ts'
import { claimBucket } from './installation-mark.ts'
import { createPartMemory } from './part-memory.ts'
import { planParts } from './part-plan.ts'
import { prepareBucket } from './prepare-bucket.ts'
import { createPublicAddresses } from './public-address.ts'
import { createS3Calls, type S3Options } from './s3-calls.ts'
import { openS3Reader } from './s3-reader.ts'
import { openS3Writer } from './s3-writer.ts'

export interface S3StoreOptions extends S3Options {
  /** With `s3Migrations` applied. */
  database: Pick<Database, 'knex'>
  /** Of all parts on their way. */
  memoryBytes?: number
}

export interface S3Store extends ObjectStore {
  /**
   * Makes the bucket where it is missing, and marks it as this installation's own. Rejects with a
   * `StartError` that says what is wrong.
   */
  prepare(): Promise<void>
  close(): void
}

const defaultMemoryBytes = 40 * 1024 * 1024
const headsAtOnce = 16

/**
 * Objects in S3, each at the address `objects/<key>`. Which parts a growing object has, and the
 * bytes behind the last whole one, stand in PostgreSQL, so that any replica goes on where another
 * ended. S3 is called once for each part and twice more; nothing touches a local disk.
 */
export function createS3Store(options: S3StoreOptions): S3Store {
  const calls = createS3Calls(options)
  const table = createObjectTable(options.database)
  const memory = createPartMemory({ totalBytes: options.memoryBytes ?? defaultMemoryBytes })
  const means = { calls, table, memory }
  const concatenating = new Map<ObjectKey, Promise<void>>()

  async function putSmall(key: ObjectKey, chunks: readonly Uint8Array[]): Promise<void> {
    const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    const whole = { bytes: bytes.byteLength, crc32: crc32(bytes) }
    await table.add(key, planParts(bytes.byteLength), whole)
    try {
      await calls.put(key, bytes, whole.crc32)
    } catch (error) {
      // The key is free again; should that fail too, the object is known and absent.
      await table.remove([key]).catch(() => undefined)
      throw error
    }
  }

  async function storedBytes(key: ObjectKey): Promise<number | null> {
    const object = await table.find(key)
    if (object === null) return null
    return object.isFinished ? calls.sizeOf(key) : object.synced.bytes
  }

  async function checkSources(sources: readonly Source[]): Promise<void> {
    for (let from = 0; from < sources.length; from += headsAtOnce) {
      const some = sources.slice(from, from + headsAtOnce)
      const sizes = await Promise.all(some.map(({ key }) => calls.sizeOf(key)))
      for (const [index, { sizeBytes }] of some.entries()) {
        const size = sizes[index] ?? null
        if (size === null) throw new AppError('file_not_found', { detail: 'a source is absent' })
        if (size !== sizeBytes) {
          throw new AppError('internal', { detail: `a source has ${size} bytes, not ${sizeBytes}` })
        }
      }
    }
  }

  async function concatenateOnce(key: ObjectKey, sources: readonly Source[]): Promise<void> {
    const bytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const known = await table.find(key)
    if (known?.isFinished && (await calls.sizeOf(key)) === bytes) return
    await checkSources(sources)
    if (known === null) await table.add(key, planParts(bytes))
    const claim = await table.claim(key)
    if (claim === null) throw new AppError('internal', { detail: 'object was removed' })
    if (claim.object.uploadId !== null || claim.object.wasBeginning) await calls.abortAll(key)
    if (bytes === 0) await calls.put(key, Buffer.alloc(0), 0)
    else await joinParts(claim, sources)
    await table.finish(claim, { bytes, crc32: 0 })
  }

  async function joinParts(
    claim: { key: ObjectKey; token: number },
    sources: readonly Source[],
  ): Promise<void> {
    const { key } = claim
    await table.noteBeginning(claim)
    const uploadId = await calls.beginParts(key, { withChecksums: false })
    try {
      await table.setUploadId(claim, uploadId)
      const parts = await sendSources(means, { key, uploadId }, sources)
      await calls.completeParts(key, uploadId, parts)
    } catch (error) {
      await calls.abortParts(key, uploadId).catch(() => undefined)
      throw error
    }
  }

  const { publicEndpoint } = options

  return {
    ...(publicEndpoint !== undefined && {
      publicAddress: createPublicAddresses(publicEndpoint, options),
    }),
    prepare: () => prepareBucket(calls, options, () => claimBucket(calls, options.database)),
    async create(key, { expectedBytes } = {}) {
      check(key)
      await table.add(key, planParts(expectedBytes))
    },
    async openWriter(key, { offsetBytes }) {
      check(key)
      return openS3Writer(means, key, offsetBytes)
    },
    async putSmall(key, chunks) {
      check(key)
      await putSmall(key, chunks)
    },
    async storedBytes(key) {
      check(key)
      return storedBytes(key)
    },
    async syncedEnd(key) {
      check(key)
      const object = await table.find(key)
      return object && { offsetBytes: object.synced.bytes, crc32: object.synced.crc32 }
    },
    async openReader(key, span) {
      check(key)
      return openS3Reader(calls, key, span)
    },
    async concatenate(key, sources) {
      check(key, ...sources.map((source) => source.key))
      const running = concatenating.get(key)
      if (running !== undefined) return running
      const joining = concatenateOnce(key, sources).finally(() => concatenating.delete(key))
      concatenating.set(key, joining)
      return joining
    },
    async remove(keys) {
      check(...keys)
      // By S3's word: a process may have died before it could note what it had begun.
      for (const key of await table.growingAmong(keys)) await calls.abortAll(key)
      await calls.remove(keys)
      // Last: what is known is found again, should one of the calls before fail.
      await table.remove(keys)
    },
    async *list() {
      yield* calls.list()
      yield* table.growing()
    },
    async freeBytes() {
      return null
    },
    close: () => calls.close(),
  }
}

function check(...keys: readonly string[]): void {
  if (!keys.every(isObjectKey)) throw new AppError('internal', { detail: 'malformed object key' })
}
