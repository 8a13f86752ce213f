import { open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { SourceError } from '../source.ts'
import { isSqlite } from './open-database.ts'

export interface PingvinFolder {
  databasePath: string
  /** One folder for each share. */
  sharesPath: string
  /** Where a logo may be: a mount of its own in Compose, and a folder of a checkout. */
  logoPaths: string[]
  /** Where `config.yaml` may be: beside the data, and in the folder that was named. */
  configPaths: string[]
}

const DATABASE = 'pingvin-share.db'
const CONFIG = 'config.yaml'
/** The data folder, what Compose mounts it from, and a checkout. */
const PLACES = ['.', 'data', 'backend/data']

/** Finds the data in the folder that somebody named. Fails with `SourceError`. */
export async function findFolder(folder: string): Promise<PingvinFolder> {
  const root = resolve(folder)
  if (!(await isFolder(root))) throw new SourceError(`${root} is not a folder.`)
  for (const place of PLACES) {
    const data = join(root, place)
    const databasePath = join(data, DATABASE)
    const beginning = await readBeginning(databasePath)
    if (beginning === null) continue
    if (!isSqlite(beginning)) throw new SourceError(`${databasePath} is not a SQLite database.`)
    const sharesPath = join(data, 'uploads', 'shares')
    if (!(await isFolder(sharesPath))) {
      throw new SourceError(`${sharesPath} is missing: without it there are no files to import.`)
    }
    const logoPaths = [
      'images/logo.png',
      '../images/logo.png',
      '../../frontend/public/img/logo.png',
    ]
    return {
      databasePath,
      sharesPath,
      logoPaths: logoPaths.map((path) => join(data, path)),
      configPaths: [...new Set([data, root])].map((path) => join(path, CONFIG)),
    }
  }
  throw new SourceError(`there is no ${DATABASE} in ${root}.`)
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
