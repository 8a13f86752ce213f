import type { CopiedDatabase } from './open-database.ts'
import type { Columns } from './detect-version.ts'
import { type Row, text, type Value } from './values.ts'

export interface Tables {
  columns: Columns
  /** The rows of a table with their number, none of one that this version does not have. */
  all(table: string, rest?: string, values?: (string | number)[]): Row[]
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
  }
}

function toRow(result: object): Row {
  return Object.fromEntries(
    Object.entries(result).map(([column, value]) => [column, value as Value]),
  )
}
