import { join } from 'node:path'
import type { ImportSource } from '../source.ts'
import { checkFiles, findDatabase } from '../sqlite/find-database.ts'
import { openCopy } from '../sqlite/open-database.ts'
import { openTables, requireTables, type Tables } from '../sqlite/tables.ts'
import { hasShare, readShares } from './read-shares.ts'
import { readUsers } from './read-users.ts'

const DATABASE = join('prisma', 'palmr.db')
/** `/app/server` of their container, what Compose mounts it from, and `/data` of their first versions. */
const PLACES = ['.', 'data', 'server', 'data/server']

const ESSENTIAL = ['users', 'files', 'shares', 'share_security', 'share_recipients', '_ShareFiles']

/**
 * The data folder of Palmr 3 with files on the disk, also while its server runs. Fails with
 * `SourceError` where it is not one.
 */
export async function openPalmr(folder: string): Promise<ImportSource> {
  const { data, databasePath } = await findDatabase(folder, PLACES, DATABASE)
  const filesPath = join(data, 'uploads')
  await checkFiles(filesPath)
  const copied = await openCopy(databasePath)
  try {
    const tables = openTables(copied.database)
    requireTables(tables.columns, 'Palmr', ESSENTIAL)
    copied.database.exec(`create index "floeRecipients" on "share_recipients" ("shareId")`)
    const losses = tellRest(tables)
    return {
      key: 'palmr',
      product: 'Palmr',
      users: () => readUsers(tables, losses),
      reverseShares: () => [],
      settings: () => [],
      logo: async () => null,
      shares: (atOnce) => readShares({ tables, filesPath, atOnce, losses }),
      hasShare: (id) => hasShare(tables, id),
      losses: () => losses,
      close: () => copied.close(),
    }
  } catch (error) {
    await copied.close()
    throw error
  }
}

/** What no reader reads. Their reverse shares keep what was received to themselves. */
function tellRest(tables: Tables): string[] {
  const losses = ['settings are left out, and the logo']
  const [reverseShares, received] = [
    tables.count('reverse_shares'),
    tables.count('reverse_share_files'),
  ]
  if (reverseShares > 0) {
    losses.push(
      `${reverseShares} reverse shares are left out, and ${received} files that were received through them`,
    )
  }
  return losses
}
