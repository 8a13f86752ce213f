import { open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { SourceError } from '../source.ts'
import { isSqlite } from './open-database.ts'

export interface FoundDatabase {
  /** The folder that was named. */
  root: string
  /** The place that has the database. */
  data: string
  databasePath: string
}

/** Finds the database below one of the places in the folder that somebody named. Fails with `SourceError`. */
export async function findDatabase(
  folder: string,
  places: readonly string[],
  name: string,
): Promise<FoundDatabase> {
  const root = resolve(folder)
  if (!(await isFolder(root))) throw new SourceError(`${root} is not a folder.`)
  for (const place of places) {
    const data = join(root, place)
    const databasePath = join(data, name)
    const beginning = await readBeginning(databasePath)
    if (beginning === null) continue
    if (!isSqlite(beginning)) throw new SourceError(`${databasePath} is not a SQLite database.`)
    return { root, data, databasePath }
  }
  throw new SourceError(`there is no ${name} in ${root}.`)
}

/** Fails with `SourceError` where the files are missing. */
export async function checkFiles(path: string): Promise<void> {
  if (await isFolder(path)) return
  throw new SourceError(`${path} is missing: without it there are no files to import.`)
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() ?? false
}

async function readBeginning(path: string): Promise<Buffer | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw new SourceError(`${path} cannot be read: ${error.message}`)
  })
  if (file === null) return null
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(16), position: 0 })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
