import { access, readFile } from 'node:fs/promises'
import type { ImportSource } from '../source.ts'
import { openCopy } from '../sqlite/open-database.ts'
import { openTables } from '../sqlite/tables.ts'
import { detectVersion } from './detect-version.ts'
import { findFolder } from './find-folder.ts'
import { openBucket } from './read-bucket.ts'
import { readConfigFile } from './read-config-file.ts'
import { hasShare, readReverseShares, readShares } from './read-shares.ts'
import { readSettings } from './read-settings.ts'
import { readUsers } from './read-users.ts'

/**
 * The data folder of Pingvin Share 0.20 to 1.13 or of Pingvin Share X, also while its server runs.
 * Fails with `SourceError` where it is not one.
 *
 * @param configPath their `config.yaml`, where it is not found beside the data.
 */
export async function openPingvin(
  folder: string,
  configPath: string | null = null,
): Promise<ImportSource> {
  const { databasePath, sharesPath, logoPaths, configPaths } = await findFolder(folder)
  const copied = await openCopy(databasePath)
  try {
    const tables = openTables(copied.database)
    const product = detectVersion(tables.columns)
    // The copy is ours, and the original has none by which the files of a share are found.
    for (const table of ['File', 'ShareRecipient', 'ShareUserRecipient']) {
      if (!tables.columns.has(table)) continue
      copied.database.exec(`create index "floe${table}" on "${table}" ("shareId")`)
    }
    const losses: string[] = []
    const path = configPath ?? (await findFirst(configPaths))
    const settings = readSettings(tables, await readConfigFile({ path, losses }))
    const bucket = await openBucket({ tables, settings, losses })
    return {
      key: 'pingvin',
      product: path === null ? product : `${product} with ${path}`,
      users: () => readUsers(tables, losses),
      reverseShares: () => readReverseShares(tables, losses),
      settings: () => settings,
      logo: (variant) => readFirst(logoPaths[variant]),
      shares: (atOnce) => readShares({ tables, sharesPath, bucket, atOnce, losses }),
      hasShare: (id) => hasShare(tables, id),
      losses: () => losses,
      async close() {
        bucket?.close()
        await copied.close()
      },
    }
  } catch (error) {
    await copied.close()
    throw error
  }
}

async function readFirst(paths: readonly string[]): Promise<Buffer | null> {
  for (const path of paths) {
    const bytes = await readFile(path).catch(() => null)
    if (bytes !== null) return bytes
  }
  return null
}

async function findFirst(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return null
}
