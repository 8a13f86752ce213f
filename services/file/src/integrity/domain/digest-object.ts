import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { crc32 as updateCrc32, createInflateRaw } from 'node:zlib'
import { isAppError } from '@floe/errors'
import type { ObjectKey, ObjectStore } from '@floe/storage'

const READ_BYTES = 1024 * 1024

export interface ObjectDigest {
  sizeBytes: number
  crc32: number
  sha256: Buffer
}

interface ReadOptions {
  signal: AbortSignal
  /** Up to here; to the end of the object when absent. */
  endBytes?: number
}

/** The digest of what is really at rest, read byte by byte; null where the object is absent. */
export function digestObject(
  objects: Pick<ObjectStore, 'openReader'>,
  key: ObjectKey,
  options: ReadOptions,
): Promise<ObjectDigest | null> {
  return unlessAbsent(digest(readObject(objects, key, options)))
}

/** The digest of the content that the object is the raw deflate of (RFC 1951); fails where it is none. */
export function digestInflated(
  objects: Pick<ObjectStore, 'openReader'>,
  key: ObjectKey,
  options: ReadOptions,
): Promise<ObjectDigest | null> {
  const deflated = Readable.from(copies(readObject(objects, key, options)), { highWaterMark: 1 })
  const inflate = createInflateRaw()
  deflated.on('error', (error) => inflate.destroy(error))
  return unlessAbsent(digest(deflated.pipe(inflate) as AsyncIterable<Buffer>))
}

async function digest(chunks: AsyncIterable<Buffer>): Promise<ObjectDigest> {
  const hash = createHash('sha256')
  let [sizeBytes, crc32] = [0, 0]
  for await (const chunk of chunks) {
    hash.update(chunk)
    crc32 = updateCrc32(chunk, crc32)
    sizeBytes += chunk.length
  }
  return { sizeBytes, crc32, sha256: hash.digest() }
}

/** Every chunk is in the same buffer: it is over once the next one is asked for. */
async function* readObject(
  objects: Pick<ObjectStore, 'openReader'>,
  key: ObjectKey,
  { signal, endBytes = Infinity }: ReadOptions,
): AsyncGenerator<Buffer> {
  const reader = await objects.openReader(key)
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    let position = 0
    while (position < endBytes) {
      signal.throwIfAborted()
      const wanted = buffer.subarray(0, Math.min(READ_BYTES, endBytes - position))
      const bytes = await reader.read(wanted, position)
      if (bytes === 0) break
      yield wanted.subarray(0, bytes)
      position += bytes
    }
  } finally {
    await reader.close()
  }
}

async function* copies(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}

async function unlessAbsent<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading
  } catch (error) {
    if (isAppError(error, 'file_not_found')) return null
    throw error
  }
}
