import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import sqlite from 'node-sqlite3-wasm'

export type SqliteValue = string | number | Uint8Array | null
/** Rows by table; a column that is not named gets its default. */
export type SqliteRows = Record<string, readonly Record<string, SqliteValue>[]>

/** Makes a database, and the folders to it. */
export async function writeSqlite(path: string, schema: string, rows: SqliteRows): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const database = new sqlite.Database(path)
  try {
    database.exec(schema)
    database.exec('begin')
    for (const [table, list] of Object.entries(rows)) {
      for (const row of list) insert(database, table, row)
    }
    database.exec('commit')
  } finally {
    database.close()
  }
}

function insert(
  database: InstanceType<typeof sqlite.Database>,
  table: string,
  row: Record<string, SqliteValue>,
): void {
  const columns = Object.keys(row).map((column) => `"${column}"`)
  const places = columns.map(() => '?')
  database.run(
    `insert into "${table}" (${columns.join(', ')}) values (${places.join(', ')})`,
    Object.values(row),
  )
}
