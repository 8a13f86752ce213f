import { type ImportSource, SourceError } from '../source.ts'
import { findDatabase } from '../sqlite/find-database.ts'
import { openCopy } from '../sqlite/open-database.ts'
import { type Columns, openTables, requireTables } from '../sqlite/tables.ts'
import { readShares } from './read-shares.ts'

const DATABASE = 'gokapi.sqlite'
/** The data folder, and what has it beside their configuration. */
const PLACES = ['.', 'data']

/**
 * The data folder of Gokapi 1.9 to 2.2 with SQLite and files on the disk, also while its server
 * runs. Fails with `SourceError` where it is not one.
 */
export async function openGokapi(folder: string): Promise<ImportSource> {
  const { data, databasePath } = await findDatabase(folder, PLACES, DATABASE)
  const copied = await openCopy(databasePath)
  try {
    const tables = openTables(copied.database)
    checkVersion(tables.columns)
    const losses = ['settings are left out']
    const accounts = tables.count('Users')
    if (accounts > 0) {
      losses.push(
        `${accounts} accounts are left out, since they have no email addresses: shares come without an owner`,
      )
    }
    return {
      key: 'gokapi',
      product: 'Gokapi',
      users: () => [],
      reverseShares: () => [],
      settings: () => [],
      logo: async () => null,
      shares: (atOnce) => readShares({ tables, filesPath: data, atOnce, losses }),
      hasShare: (id) => tables.all('FileMetaData', 'where "Id" = ?', [id]).length > 0,
      losses: () => losses,
      close: () => copied.close(),
    }
  } catch (error) {
    await copied.close()
    throw error
  }
}

/** Later ones restrict who may download, and encrypt names: what is not known here is not opened. */
function checkVersion(columns: Columns): void {
  requireTables(columns, 'Gokapi', ['FileMetaData', 'ApiKeys', 'Hotlinks'])
  const has = (column: string) => columns.get('FileMetaData')?.has(column) ?? false
  if (has('Name') && has('SHA1') && has('Encryption') && !has('BundleId')) return
  throw new SourceError('this Gokapi is of a version that is not known here: 1.9 to 2.2 are.')
}
