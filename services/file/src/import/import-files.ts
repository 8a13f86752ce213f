import { createHash } from 'node:crypto'
import { crc32 as updateCrc32 } from 'node:zlib'
import type { Database, Knex } from '@floe/db'
import {
  eachAtOnce,
  newObjectKey,
  newObjectKeys,
  type ObjectReader,
  type ObjectStore,
} from '@floe/storage'
import { readBootId } from '../uploads/domain/boot-id.ts'
import { createImportRows, type StagedImport } from './import-rows.ts'

/** A file of an installation that is moved here. */
export interface ImportedFile {
  shareUid: string
  shareId: string
  /** Whose storage it counts for; null for nobody's. */
  chargedTo: string | null
  id: string
  name: string
  createdAt: Date
  /** As it is stored there. */
  sizeBytes: number
  /** Of a file on this machine; null for one that can only be read. */
  path: string | null
  open(): Promise<ObjectReader>
}

export interface FileImport {
  /**
   * Brings the bytes of those that are not here yet. They are nobody's files until `finish`, and
   * go after a month without it; a second call takes over what an earlier one left. Where `isLinked`
   * the file becomes the object, if it can, and is copied else.
   */
  store(
    files: readonly ImportedFile[],
    options: { isLinked: boolean; signal: AbortSignal },
  ): Promise<StoredImport[]>
  /** Makes them files, in the transaction that makes their shares. */
  finish(trx: Knex.Transaction, stored: readonly StoredImport[]): Promise<void>
}

export interface StoredImport extends StagedImport {
  crc32: number
  /** Null for a linked one: it is computed later, as that of an upload. */
  sha256: Buffer | null
}

interface FileImportDependencies {
  database: Database
  objects: ObjectStore
  clock: () => Date
}

/** Read at once and stored together up to here, with one durable step for a group of them. */
const SMALL_BYTES = 1024 * 1024
const MOST_GROUP_BYTES = 16 * 1024 * 1024
const MOST_GROUP_FILES = 500
const CHUNK_BYTES = 1024 * 1024
const READS_AT_ONCE = 16

/** Files become objects, wherever they come from and whatever lies below. */
export async function openFileImport({
  database,
  objects,
  clock,
}: FileImportDependencies): Promise<FileImport> {
  const rows = createImportRows({ database, clock, bootId: await readBootId() })

  return {
    async store(files, { isLinked, signal }) {
      const staged = await rows.stage(files, chooseKeys)
      const left = staged.filter(({ isTakenOver }) => isTakenOver)
      await objects.remove(left.map(({ objectKey }) => objectKey))
      const stored = isLinked ? await linkAll(objects, staged, signal) : []
      const linked = new Set(stored.map(({ uploadId }) => uploadId))
      const copied = staged.filter(({ uploadId }) => !linked.has(uploadId))
      for (const group of groupSmall(copied)) {
        signal.throwIfAborted()
        stored.push(...(await storeGroup(objects, group)))
      }
      for (const file of copied.filter(isLarge))
        stored.push(await storeLarge(objects, file, signal))
      return stored
    },
    finish: (trx, stored) => rows.finish(trx, stored),
  }
}

const isLarge = ({ sizeBytes }: Pick<ImportedFile, 'sizeBytes'>) => sizeBytes > SMALL_BYTES

/** Small ones lie together, as those of a batch do. */
function chooseKeys(files: readonly ImportedFile[]): string[] {
  const together = newObjectKeys(files.length)
  return files.map((file, index) => (isLarge(file) ? newObjectKey() : (together[index] ?? '')))
}

function groupSmall(staged: readonly StagedImport[]): StagedImport[][] {
  const groups: StagedImport[][] = []
  let bytes = 0
  for (const file of staged) {
    if (isLarge(file)) continue
    const group = groups.at(-1)
    bytes += file.sizeBytes
    if (group && bytes <= MOST_GROUP_BYTES && group.length < MOST_GROUP_FILES) {
      group.push(file)
    } else {
      groups.push([file])
      bytes = file.sizeBytes
    }
  }
  return groups
}

async function linkAll(
  objects: ObjectStore,
  staged: readonly StagedImport[],
  signal: AbortSignal,
): Promise<StoredImport[]> {
  const linked: StoredImport[] = []
  for (const file of staged) {
    if (file.path === null || !(await objects.adopt(file.objectKey, file.path))) continue
    const source = await file.open()
    try {
      let crc32 = 0
      for await (const chunk of readChunks(source, file, signal)) crc32 = updateCrc32(chunk, crc32)
      linked.push({ ...file, crc32, sha256: null })
    } finally {
      await source.close()
    }
  }
  return linked
}

async function storeGroup(
  objects: ObjectStore,
  group: readonly StagedImport[],
): Promise<StoredImport[]> {
  const stored: StoredImport[] = []
  const bytesOf = new Map<string, Buffer>()
  await eachAtOnce(group, READS_AT_ONCE, async (file) => {
    const bytes = await readSmall(file)
    const sha256 = createHash('sha256').update(bytes).digest()
    bytesOf.set(file.objectKey, bytes)
    stored.push({ ...file, crc32: updateCrc32(bytes), sha256 })
  })
  await objects.putMany(
    stored.map(({ objectKey, crc32 }) => ({
      objectKey,
      crc32,
      bytes: bytesOf.get(objectKey) ?? Buffer.alloc(0),
    })),
  )
  return stored
}

async function readSmall(file: ImportedFile): Promise<Buffer> {
  const source = await file.open()
  try {
    const bytes = Buffer.alloc(file.sizeBytes)
    for (let position = 0; position < bytes.length;) {
      position += await readSome(file, source, bytes.subarray(position), position)
    }
    return bytes
  } finally {
    await source.close()
  }
}

/** At least one byte. */
async function readSome(
  { name, shareId }: ImportedFile,
  source: ObjectReader,
  buffer: Uint8Array,
  position: number,
): Promise<number> {
  const bytes = await source.read(buffer, position)
  if (bytes > 0) return bytes
  throw new Error(`share ${shareId}: ${JSON.stringify(name)} became shorter while it was read`)
}

async function storeLarge(
  objects: ObjectStore,
  file: StagedImport,
  signal: AbortSignal,
): Promise<StoredImport> {
  const source = await file.open()
  try {
    await objects.create(file.objectKey, { expectedBytes: file.sizeBytes })
    const writer = await objects.openWriter(file.objectKey, { offsetBytes: 0 })
    try {
      const sha256 = createHash('sha256')
      for await (const chunk of readChunks(source, file, signal)) {
        sha256.update(chunk)
        await writer.write([chunk], signal)
      }
      await writer.finish()
      return { ...file, crc32: writer.position.crc32, sha256: sha256.digest() }
    } finally {
      await writer.close()
    }
  } finally {
    await source.close()
  }
}

async function* readChunks(
  source: ObjectReader,
  file: ImportedFile,
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let position = 0; position < file.sizeBytes;) {
    signal.throwIfAborted()
    const wanted = buffer.subarray(0, Math.min(CHUNK_BYTES, file.sizeBytes - position))
    const bytes = await readSome(file, source, wanted, position)
    position += bytes
    yield wanted.subarray(0, bytes)
  }
}
