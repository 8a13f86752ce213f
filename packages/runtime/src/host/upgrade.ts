import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '@floe/config'
import {
  type Database,
  findUpgrade,
  migrateAll,
  type MigrateOptions,
  openDatabase,
  StartError,
} from '@floe/db'
import { RELEASE_TAG } from '@floe/contracts'

const KEPT_COPIES = 3
/** Sorted by their time, whatever the versions. */
const copyName = /^before-.+-(\d{8}T\d{9}Z)$/

export interface Upgrade {
  /** Where a database of our own is copied to before it is used; null where nothing will change it. */
  chooseCopy(url: string): Promise<string | null>
  /** Brings all tables up to date, or leaves all as they are. */
  apply(database: Database): ReturnType<typeof migrateAll>
}

export interface UpgradeOptions {
  migrations: readonly MigrateOptions[]
  log: { info(message: string): void }
}

/** What a start does to the tables, with a copy of an embedded database as the way back. */
export function planUpgrade(
  { dataDirectory, databaseUrl }: Pick<Environment, 'dataDirectory' | 'databaseUrl'>,
  { migrations, log }: UpgradeOptions,
): Upgrade {
  const folder = join(dataDirectory, 'backups')
  let copy: string | null = null

  async function tell(database: Database): Promise<void> {
    const pending = await findUpgrade(database, migrations)
    if (pending.length === 0) return
    if (copy !== null) {
      log.info(`The database was copied to ${copy} before the upgrade`)
    } else if (databaseUrl === null) {
      throw new StartError(
        `The database in ${dataDirectory} is in use by a Floe that runs; stop it, so that the database can be copied before the upgrade.`,
      )
    } else {
      log.info(
        'An upgrade is applied to the database, of which Floe makes no copy; docs/operate/upgrade.md says how to go back',
      )
    }
  }

  /** Of a database that is as it was, it says nothing new, and the next start makes another one. */
  async function discard(database: Database, path: string): Promise<void> {
    const pending = await findUpgrade(database, migrations)
    if (pending.length > 0) await rm(path, { recursive: true })
  }

  return {
    chooseCopy: async (url) => {
      const database = openDatabase({ url, maxConnections: 1 })
      try {
        const pending = await findUpgrade(database, migrations)
        const time = new Date().toISOString().replaceAll(/[-:.]/g, '')
        copy = pending.length === 0 ? null : join(folder, `before-${RELEASE_TAG}-${time}`)
        return copy
      } finally {
        await database.close()
      }
    },
    apply: async (database) => {
      await tell(database)
      const applied = await migrateAll(database, migrations).catch(async (error: unknown) => {
        if (copy !== null) await discard(database, copy)
        throw error
      })
      if (copy !== null) await removeOldCopies(folder)
      return applied
    },
  }
}

async function removeOldCopies(folder: string): Promise<void> {
  const copies = (await readdir(folder))
    .map((name) => ({ name, time: copyName.exec(name)?.[1] }))
    .filter((one): one is { name: string; time: string } => one.time !== undefined)
    .toSorted((a, b) => (a.time < b.time ? 1 : -1))
  for (const { name } of copies.slice(KEPT_COPIES)) {
    await rm(join(folder, name), { recursive: true })
  }
}
