import { SourceError } from '../source.ts'
import type { CopiedDatabase } from './open-database.ts'
import { type Row, text, type Value } from './values.ts'

/** The columns of each table. */
export type Columns = ReadonlyMap<string, ReadonlySet<string>>

export interface Tables {
  columns: Columns
  /** The rows of a table with their number, none of one that this version does not have. */
  all(table: string, rest?: string, values?: (string | number)[]): Row[]
  count(table: string): number
}

export function openTables(database: CopiedDatabase['database']): Tables {
  const rows = database.all(
    `select m.name as "table", c.name as "column" from sqlite_master m
     join pragma_table_info(m.name) c where m.type = 'table'`,
  )
  const columns = new Map<string, Set<string>>()
  for (const row of rows.map(toRow)) {
    const table = text(row, 'table')
    columns.set(table, (columns.get(table) ?? new Set()).add(text(row, 'column')))
  }
  return {
    columns,
    all(table, rest = '', values = []) {
      if (!columns.has(table)) return []
      return database.all(`select rowid as "rowid", * from "${table}" ${rest}`, values).map(toRow)
    },
    count(table) {
      if (!columns.has(table)) return 0
      return Number(database.get(`select count(*) as "count" from "${table}"`)?.count)
    },
  }
}

function toRow(result: object): Row {
  return Object.fromEntries(
    Object.entries(result).map(([column, value]) => [column, value as Value]),
  )
}

/** Fails with `SourceError` for the database of another product. */
export function requireTables(columns: Columns, product: string, names: readonly string[]): void {
  const missing = names.filter((table) => !columns.has(table))
  if (missing.length === 0) return
  throw new SourceError(`this is no database of ${product}: it has no ${missing.join(', ')}.`)
}
