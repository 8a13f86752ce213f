import { join } from 'node:path'
import type { LogoVariant } from '@floe/contracts'
import { checkFiles, findDatabase } from '../sqlite/find-database.ts'

export interface PingvinFolder {
  databasePath: string
  /** One folder for each share. */
  sharesPath: string
  /** Where a logo may be: a mount of its own in Compose, and a folder of a checkout. */
  logoPaths: Record<LogoVariant, string[]>
  /** Where `config.yaml` may be: beside the data, and in the folder that was named. */
  configPaths: string[]
}

const DATABASE = 'pingvin-share.db'
const CONFIG = 'config.yaml'
/** The data folder, what Compose mounts it from, and a checkout. */
const PLACES = ['.', 'data', 'backend/data']

/** Finds the data in the folder that somebody named. Fails with `SourceError`. */
export async function findFolder(folder: string): Promise<PingvinFolder> {
  const { root, data, databasePath } = await findDatabase(folder, PLACES, DATABASE)
  const sharesPath = join(data, 'uploads', 'shares')
  await checkFiles(sharesPath)
  const pathsOf = (name: string) =>
    ['images', '../images', '../../frontend/public/img'].map((path) => join(data, path, name))
  return {
    databasePath,
    sharesPath,
    logoPaths: { light: pathsOf('logo.png'), dark: pathsOf('logo-dark.png') },
    configPaths: [...new Set([data, root])].map((path) => join(path, CONFIG)),
  }
}
