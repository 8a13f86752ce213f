import fs from 'node:fs'
import { lstat, mkdir, opendir, rename, statfs, unlink } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '@floe/errors'
import { createDirectorySync, syncDirectory } from './directory-sync.ts'
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
import { createFileWriter } from './file-writer.ts'
import { isObjectKey, type ObjectKey, type ObjectStore } from './object-store.ts'

/**
 * Objects as files: `<directory>/<first two characters of the key>/<key>`. One level of 256
 * folders, all made at the first write: a second level would cost nearly every one of the first
 * 65 536 small files a mkdir and a further fsync.
 *
 * Durability of a new file is fdatasync of the file, then fsync of its folder, shared by all
 * that wait for the same folder. Existing bytes are only ever extended at their own position.
 *
 * A link in place of an object is never followed: whoever may write to this folder alone, such as a
 * neighbour on a network drive, would else read and overwrite whatever this process may.
 */

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants
const ownerOnly = 0o600
const statsAtOnce = 32

export interface DiskStoreOptions {
  directory: string
  /** Stands in for `pwritev`, to show what happens when the system ends a write early. */
  writeVector?: WriteVector
}

export function createDiskStore(options: DiskStoreOptions): ObjectStore {
  const root = path.resolve(options.directory)
  const write = options.writeVector ?? writeVector
  const syncEntries = createDirectorySync()
  const concatenating = new Map<ObjectKey, Promise<void>>()
  let prepared: Promise<void> | undefined

  function folderOf(key: ObjectKey): string {
    if (!isObjectKey(key)) throw new AppError('internal', { detail: 'malformed object key' })
    return `${root}${path.sep}${key.slice(0, 2)}`
  }

  function fileOf(key: ObjectKey): string {
    return `${folderOf(key)}${path.sep}${key}`
  }

  /** Not an object until it is renamed, so `list` and readers never see half a concatenation. */
  function unfinishedCopyOf(key: ObjectKey): string {
    return `${fileOf(key)}.copy`
  }

  function prepare(): Promise<void> {
    prepared ??= makeFolders(root).catch((error: unknown) => {
      prepared = undefined
      throw error
    })
    return prepared
  }

  async function createDescriptor(key: ObjectKey): Promise<number> {
    const file = fileOf(key)
    await prepare()
    return openFile(file, O_CREAT | O_EXCL | O_WRONLY, ownerOnly)
  }

  async function create(key: ObjectKey) {
    await closeFile(await createDescriptor(key))
  }

  async function putSmall(key: ObjectKey, chunks: readonly Uint8Array[]) {
    const fd = await createDescriptor(key)
    try {
      await writeFully(write, fd, chunks, 0)
      await syncFileData(fd)
      await syncEntries(folderOf(key))
    } catch (error) {
      await unlink(fileOf(key)).catch(() => undefined)
      throw error
    } finally {
      await closeFile(fd)
    }
  }

  async function openWriter(key: ObjectKey, { offsetBytes }: { offsetBytes: number }) {
    const fd = await openFile(fileOf(key), O_RDWR | O_NOFOLLOW)
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
    const syncEntry = () => syncEntries(folderOf(key))
    return createFileWriter({ fd, offsetBytes, syncEntry, writeVector: write })
  }

  async function storedBytes(key: ObjectKey): Promise<number | null> {
    try {
      return (await lstat(fileOf(key))).size
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return null
      throw error
    }
  }

  async function syncedEnd(key: ObjectKey) {
    fileOf(key)
    return null
  }

  async function openReader(key: ObjectKey) {
    let fd: number | undefined = await openFile(fileOf(key), O_RDONLY | O_NOFOLLOW)
    return {
      async read(buffer: Uint8Array, position: number) {
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

  async function concatenateOnce(
    key: ObjectKey,
    sources: readonly { key: ObjectKey; sizeBytes: number }[],
  ) {
    const sizeBytes = sources.reduce((sum, source) => sum + source.sizeBytes, 0)
    const parts = sources.map((source) => ({ file: fileOf(source.key), ...source }))
    await prepare()
    // The rename below comes last, so a file of this name and size is a former success.
    if ((await storedBytes(key)) !== sizeBytes) {
      const copy = unfinishedCopyOf(key)
      await copyObjects({ target: copy, parts, writeVector: write })
      await rename(copy, fileOf(key))
    }
    await syncEntries(folderOf(key))
  }

  function concatenate(
    key: ObjectKey,
    sources: readonly { key: ObjectKey; sizeBytes: number }[],
  ): Promise<void> {
    const running = concatenating.get(key)
    if (running !== undefined) return running
    const copying = concatenateOnce(key, sources).finally(() => concatenating.delete(key))
    concatenating.set(key, copying)
    return copying
  }

  async function remove(keys: readonly ObjectKey[]) {
    const files = keys.flatMap((key) => [fileOf(key), unfinishedCopyOf(key)])
    for (let index = 0; index < files.length; index += statsAtOnce) {
      await Promise.all(files.slice(index, index + statsAtOnce).map(unlinkIfPresent))
    }
  }

  async function* list() {
    try {
      for (const folder of folderNames()) {
        yield* listFolder(`${root}${path.sep}${folder}`)
      }
    } catch (error) {
      throw convertFileError(error, 'list')
    }
  }

  async function freeBytes() {
    await prepare()
    const { bavail, bsize } = await statfs(root)
    return bavail * bsize
  }

  return {
    create: (key) => reported('create', create(key)),
    putSmall: (key, chunks) => reported('put', putSmall(key, chunks)),
    openWriter: (key, at) => reported('open for writing', openWriter(key, at)),
    storedBytes: (key) => reported('stat', storedBytes(key)),
    syncedEnd: (key) => reported('synced end', syncedEnd(key)),
    openReader: (key) => reported('open for reading', openReader(key)),
    concatenate: (key, sources) => reported('concatenate', concatenate(key, sources)),
    remove: (keys) => reported('remove', remove(keys)),
    list,
    freeBytes: () => reported('free space', freeBytes()),
  }
}

async function reported<Result>(operation: string, running: Promise<Result>): Promise<Result> {
  try {
    return await running
  } catch (error) {
    throw convertFileError(error, operation)
  }
}

async function makeFolders(root: string) {
  await mkdir(root, { recursive: true, mode: 0o700 })
  await Promise.all(
    folderNames().map(async (name) => {
      try {
        await mkdir(`${root}${path.sep}${name}`, { mode: 0o700 })
      } catch (error) {
        if (!hasErrorCode(error, 'EEXIST')) throw error
      }
    }),
  )
  await syncDirectory(root)
  await syncDirectory(path.dirname(root))
}

function folderNames(): string[] {
  return Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))
}

async function unlinkIfPresent(file: string) {
  try {
    await unlink(file)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
  }
}

async function* listFolder(folder: string) {
  let names: ObjectKey[] = []
  for await (const entry of await openFolder(folder)) {
    if (!isObjectKey(entry.name)) continue
    names.push(entry.name)
    if (names.length < statsAtOnce) continue
    yield* await sizesOf(folder, names)
    names = []
  }
  yield* await sizesOf(folder, names)
}

async function openFolder(folder: string) {
  try {
    return await opendir(folder)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return []
    throw error
  }
}

/** An object removed since the folder was read is left out. */
async function sizesOf(folder: string, names: readonly ObjectKey[]) {
  const found = await Promise.all(
    names.map(async (key) => {
      try {
        return { key, sizeBytes: (await lstat(`${folder}${path.sep}${key}`)).size }
      } catch (error) {
        if (hasErrorCode(error, 'ENOENT')) return null
        throw error
      }
    }),
  )
  return found.filter((object) => object !== null)
}
