import { lstat, mkdir, opendir } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '@floe/errors'
import { syncDirectory } from './directory-sync.ts'
import { hasErrorCode } from './file-system.ts'
import { isObjectKey, type ObjectKey } from './object-store.ts'

const statsAtOnce = 32

/** Where the files of objects are: `<root>/<first two characters of the key>/<key>`. */
export interface DiskLayout {
  /** These refuse a malformed key with `internal`. */
  folderOf(key: ObjectKey): string
  fileOf(key: ObjectKey): string
  /** Not an object until it is renamed, so `list` and readers never see half a concatenation. */
  unfinishedCopyOf(key: ObjectKey): string
  /** Makes all folders, once. */
  prepare(): Promise<void>
  list(): AsyncGenerator<{ key: ObjectKey; sizeBytes: number }>
}

export function createDiskLayout(root: string, folderMode: number): DiskLayout {
  let prepared: Promise<void> | undefined

  function folderOf(key: ObjectKey): string {
    if (!isObjectKey(key)) throw new AppError('internal', { detail: 'malformed object key' })
    return `${root}${path.sep}${key.slice(0, 2)}`
  }

  function fileOf(key: ObjectKey): string {
    return `${folderOf(key)}${path.sep}${key}`
  }

  return {
    folderOf,
    fileOf,
    unfinishedCopyOf: (key) => `${fileOf(key)}.copy`,
    prepare() {
      prepared ??= makeFolders(root, folderMode).catch((error: unknown) => {
        prepared = undefined
        throw error
      })
      return prepared
    },
    async *list() {
      for (const folder of folderNames()) yield* listFolder(`${root}${path.sep}${folder}`)
    },
  }
}

async function makeFolders(root: string, mode: number) {
  await mkdir(root, { recursive: true, mode })
  await Promise.all(
    folderNames().map(async (name) => {
      try {
        await mkdir(`${root}${path.sep}${name}`, { mode })
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
