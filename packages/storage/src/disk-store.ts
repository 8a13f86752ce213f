import fs from 'node:fs'
import { link, lstat, realpath, rename, statfs, unlink } from 'node:fs/promises'
import path from 'node:path'
import { crc32 as updateCrc32 } from 'node:zlib'
import { AppError } from '@floe/errors'
import { createDirectorySync } from './directory-sync.ts'
import { createDiskLayout, type DiskLayout } from './disk-layout.ts'
import { eachAtOnce } from './each-at-once.ts'
import { copyObjects } from './file-copy.ts'
import {
  closeFile,
  convertFileError,
  hasErrorCode,
  openFile,
  readFile,
  statFile,
  syncFileData,
  truncateFile,
  writeFully,
  writeVector,
  type WriteVector,
} from './file-system.ts'
import { syncFileSystem } from './file-system-sync.ts'
import { createFileWriter } from './file-writer.ts'
import {
  beginning,
  type NotedEnd,
  type ObjectKey,
  type ObjectReader,
  type ObjectStore,
  type DiskUsage,
  type ObjectWriter,
  type Position,
  type WholeObject,
} from './object-store.ts'
import { shareRuns } from './share-runs.ts'

/**
 * Objects as files: `<directory>/<first two characters of the key>/<key>`. One level of 256
 * folders, all made at the first write: a second level would cost nearly every one of the first
 * 65 536 small files a mkdir and a further fsync.
 *
 * Durability of a new file is fdatasync of the file, then fsync of its folder, shared by all
 * that wait for the same folder. Existing bytes are only ever extended at their own position.
 *
 * A link in place of an object is never followed: a neighbour on a network drive who may write to
 * this folder alone could otherwise read and overwrite what this process may.
 */

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants
const ownerOnly = { folder: 0o700, file: 0o600 }
/** For a proxy that sends them; its user is put into our group. */
const groupReads = { folder: 0o750, file: 0o640 }
const filesAtOnce = 32
/** To read an object again at a time. */
const readBytes = 1024 * 1024

export interface DiskStoreOptions {
  directory: string
  /** A proxy sends objects on a response with this header; `prefix` is its name of the directory. */
  sendfile?: { header: string; prefix: string }
  /** Stands in for `pwritev`, to show what happens when the system ends a write early. */
  writeVector?: WriteVector
}

interface Disk {
  root: string
  layout: DiskLayout
  fileMode: number
  write: WriteVector
  /** Makes the entries of a folder durable. */
  syncEntries(folder: string): Promise<void>
  /** Makes all that was written to the file system of a folder durable. */
  syncAll(folder: string): Promise<void>
}

interface ConcatenationSource {
  key: ObjectKey
  sizeBytes: number
}

export function createDiskStore(options: DiskStoreOptions): ObjectStore {
  const root = path.resolve(options.directory)
  const { sendfile } = options
  const modes = sendfile === undefined ? ownerOnly : groupReads
  const disk = {
    root,
    layout: createDiskLayout(root, modes.folder),
    fileMode: modes.file,
    write: options.writeVector ?? writeVector,
    syncEntries: createDirectorySync(),
    syncAll: createDirectorySync(syncFileSystem),
  }
  const concatenateOnce = shareRuns((key: ObjectKey, sources: readonly ConcatenationSource[]) =>
    concatenate(disk, key, sources),
  )
  return {
    create: (key) => reported('create', create(disk, key)),
    putSmall: (key, chunks) => reported('put', putSmall(disk, key, chunks)),
    putMany: (objects) => reported('put', putMany(disk, objects)),
    openWriter: (key, { offsetBytes, crc32 = 0 }) =>
      reported('open for writing', openWriter(disk, key, { offsetBytes, crc32 })),
    recover: (key, known) => reported('recover', recover(disk, key, known)),
    storedBytes: (key) => reported('stat', storedBytes(disk, key)),
    openReader: (key) => reported('open for reading', openReader(disk, key)),
    async handOff(key) {
      const file = path.relative(root, disk.layout.fileOf(key)).replaceAll(path.sep, '/')
      if (sendfile === undefined) return null
      return { kind: 'sendfile', headers: { [sendfile.header]: sendfile.prefix + file } }
    },
    concatenate: (key, sources) => reported('concatenate', concatenateOnce(key, sources)),
    adopt: (key, file) => reported('link', adopt(disk, key, file)),
    remove: (keys) => reported('remove', remove(disk, keys)),
    async *list() {
      try {
        yield* disk.layout.list()
      } catch (error) {
        throw convertFileError(error, 'list')
      }
    },
    freeBytes: () => reported('free space', freeBytes(disk)),
    measureDisk: () => reported('disk usage', measureDisk(disk)),
  }
}

async function reported<Result>(operation: string, running: Promise<Result>): Promise<Result> {
  try {
    return await running
  } catch (error) {
    throw convertFileError(error, operation)
  }
}

async function createDescriptor({ layout, fileMode }: Disk, key: ObjectKey): Promise<number> {
  const file = layout.fileOf(key)
  await layout.prepare()
  return openFile(file, O_CREAT | O_EXCL | O_WRONLY, fileMode)
}

async function create(disk: Disk, key: ObjectKey): Promise<void> {
  await closeFile(await createDescriptor(disk, key))
}

async function putSmall(disk: Disk, key: ObjectKey, chunks: readonly Uint8Array[]): Promise<void> {
  const { layout, write, syncEntries } = disk
  const fd = await createDescriptor(disk, key)
  try {
    await writeFully(write, fd, chunks, 0)
    await syncFileData(fd)
    await syncEntries(layout.folderOf(key))
  } catch (error) {
    await unlink(layout.fileOf(key)).catch(() => undefined)
    throw error
  } finally {
    await closeFile(fd)
  }
}

async function putMany(disk: Disk, objects: readonly WholeObject[]): Promise<void> {
  const { root, write, syncAll } = disk
  const created: ObjectKey[] = []
  try {
    await eachAtOnce(objects, filesAtOnce, async ({ objectKey, bytes }) => {
      const fd = await createDescriptor(disk, objectKey)
      created.push(objectKey)
      try {
        await writeFully(write, fd, [bytes], 0)
      } finally {
        await closeFile(fd)
      }
    })
    await syncAll(root)
  } catch (error) {
    await remove(disk, created)
    throw error
  }
}

/** What the system says where a file cannot have a second name there. */
const unlinkable = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'] as const

async function adopt(
  { layout, syncEntries }: Disk,
  key: ObjectKey,
  file: string,
): Promise<boolean> {
  await layout.prepare()
  try {
    // A link to a link would not be followed when it is read.
    await link(await realpath(file), layout.fileOf(key))
  } catch (error) {
    if (unlinkable.some((code) => hasErrorCode(error, code))) return false
    throw error
  }
  await syncEntries(layout.folderOf(key))
  return true
}

async function openWriter(
  { layout, write, syncEntries }: Disk,
  key: ObjectKey,
  start: Position,
): Promise<ObjectWriter> {
  const { offsetBytes } = start
  const fd = await openFile(layout.fileOf(key), O_RDWR | O_NOFOLLOW)
  try {
    const { size } = await statFile(fd)
    if (size < offsetBytes) {
      throw new AppError('upload_offset_conflict', {
        detail: `object holds ${size} bytes, asked to continue at ${offsetBytes}`,
      })
    }
    if (size > offsetBytes) await truncateFile(fd, offsetBytes)
  } catch (error) {
    await closeFile(fd)
    throw error
  }
  const syncEntry = () => syncEntries(layout.folderOf(key))
  return createFileWriter({ fd, start, syncEntry, writeVector: write })
}

/**
 * The file holds what its last writer wrote before it died, also what was not noted: that is taken by
 * running the checksum over it, unless the machine went down with it or it must not be taken.
 */
async function recover(disk: Disk, key: ObjectKey, known: NotedEnd): Promise<Position> {
  const { noted, flushed, isSameBoot, takesMore, expectedBytes } = known
  const sizeBytes = await storedBytes(disk, key)
  if (sizeBytes === null) {
    await create(disk, key)
    return beginning
  }
  const trusted = isSameBoot ? noted : flushed
  if (sizeBytes < trusted.offsetBytes) return sumUp(disk, key, beginning, sizeBytes)
  if (!isSameBoot || !takesMore) return trusted
  return sumUp(disk, key, trusted, Math.min(sizeBytes, expectedBytes ?? sizeBytes))
}

/** The position at `endBytes`, from an earlier one. */
async function sumUp(
  disk: Disk,
  key: ObjectKey,
  from: Position,
  endBytes: number,
): Promise<Position> {
  let { offsetBytes, crc32 } = from
  if (offsetBytes >= endBytes) return from
  const reader = await openReader(disk, key)
  try {
    const buffer = Buffer.allocUnsafe(readBytes)
    while (offsetBytes < endBytes) {
      const wanted = buffer.subarray(0, Math.min(buffer.length, endBytes - offsetBytes))
      const bytes = await reader.read(wanted, offsetBytes)
      if (bytes === 0) break
      crc32 = updateCrc32(wanted.subarray(0, bytes), crc32)
      offsetBytes += bytes
    }
    return { offsetBytes, crc32 }
  } finally {
    await reader.close()
  }
}

async function storedBytes({ layout }: Disk, key: ObjectKey): Promise<number | null> {
  try {
    return (await lstat(layout.fileOf(key))).size
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

async function openReader({ layout }: Disk, key: ObjectKey): Promise<ObjectReader> {
  let fd: number | undefined = await openFile(layout.fileOf(key), O_RDONLY | O_NOFOLLOW)
  return {
    async read(buffer, position) {
      if (fd === undefined) throw new AppError('internal', { detail: 'reader is closed' })
      return await reported('read', readFile(fd, buffer, buffer.byteLength, position))
    },
    async close() {
      if (fd === undefined) return
      const closing = fd
      fd = undefined
      await reported('close', closeFile(closing))
    },
  }
}

async function concatenate(
  disk: Disk,
  key: ObjectKey,
  sources: readonly ConcatenationSource[],
): Promise<void> {
  const { layout, fileMode, write, syncEntries } = disk
  const sizeBytes = sources.reduce((sum, source) => sum + source.sizeBytes, 0)
  const parts = sources.map((source) => ({ file: layout.fileOf(source.key), ...source }))
  await layout.prepare()
  // The rename below comes last, so a file of this name and size is a former success.
  if ((await storedBytes(disk, key)) !== sizeBytes) {
    const copy = layout.unfinishedCopyOf(key)
    await copyObjects({ target: copy, mode: fileMode, parts, writeVector: write })
    await rename(copy, layout.fileOf(key))
  }
  await syncEntries(layout.folderOf(key))
}

async function remove({ layout }: Disk, keys: readonly ObjectKey[]): Promise<void> {
  const files = keys.flatMap((key) => [layout.fileOf(key), layout.unfinishedCopyOf(key)])
  await eachAtOnce(files, filesAtOnce, unlinkIfPresent)
}

async function freeBytes({ root, layout }: Disk): Promise<number> {
  await layout.prepare()
  const { bavail, bsize } = await statfs(root)
  return bavail * bsize
}

/** As `df` counts: what only root may use is neither used nor free. */
async function measureDisk({ root, layout }: Disk): Promise<DiskUsage> {
  await layout.prepare()
  const { blocks, bfree, bavail, bsize } = await statfs(root)
  const used = blocks - bfree
  return { usedBytes: used * bsize, totalBytes: (used + bavail) * bsize }
}

async function unlinkIfPresent(file: string) {
  try {
    await unlink(file)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
  }
}
