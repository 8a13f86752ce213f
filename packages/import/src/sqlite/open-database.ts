import { chmod, copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { SourceError } from '../source.ts'

export interface CopiedDatabase {
  database: InstanceType<typeof sqlite.Database>
  close(): Promise<void>
}

const HEADER = 'SQLite format 3\u0000'
const MOST_ATTEMPTS = 10
/** What SQLite keeps beside a database: changes that are not in it yet, or are to be undone. */
const COMPANIONS = ['', '-wal', '-journal']

/**
 * Opens a copy, so that a server that still runs is neither held up nor in the way, and nothing is
 * written beside the original: what it had committed last is read. Fails with `SourceError`.
 */
export async function openCopy(path: string): Promise<CopiedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-import-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, basename(path))
    await copyUnchanged(path, copy)
    const database = openChecked(copy, path)
    return {
      database,
      async close() {
        database.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Again, until nothing was written meanwhile. */
async function copyUnchanged(path: string, copy: string): Promise<void> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const before = await describe(path)
    for (const companion of COMPANIONS) {
      await rm(copy + companion, { force: true })
      await copyWritable(path + companion, copy + companion).catch(ignoreAbsent)
    }
    if ((await describe(path)) === before) return
  }
  throw new SourceError(`${path} is written to all the time; stop the old server for a moment.`)
}

/** The original may be one that nobody may write to, and its copy gets indexes. */
async function copyWritable(path: string, copy: string): Promise<void> {
  await copyFile(path, copy)
  await chmod(copy, 0o600)
}

async function describe(path: string): Promise<string> {
  const states = COMPANIONS.map(async (companion) => {
    const state = await stat(path + companion, { bigint: true }).catch(ignoreAbsent)
    return state ? `${state.size} ${state.mtimeNs}` : ''
  })
  return (await Promise.all(states)).join(', ')
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function openChecked(copy: string, path: string): CopiedDatabase['database'] {
  const database = new sqlite.Database(copy, { fileMustExist: true })
  try {
    // Without shared memory, a write-ahead log is only read by whom the database is alone for.
    database.exec('pragma locking_mode = exclusive')
    const result = database.get('pragma integrity_check(1)')?.integrity_check
    if (result !== 'ok') throw new SourceError(`${path} is damaged: ${JSON.stringify(result)}`)
    return database
  } catch (error) {
    database.close()
    if (error instanceof SourceError) throw error
    throw new SourceError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Is this the beginning of a SQLite file? */
export function isSqlite(beginning: Buffer): boolean {
  return beginning.subarray(0, HEADER.length).toString('latin1') === HEADER
}
