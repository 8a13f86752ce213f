import type { DataKind, ListOwnData } from '@floe/contracts'
import type { Database } from './database.ts'

/** What a table holds, and what of it an account is told. A test compares it with the database. */
export interface StoredTable {
  kind: DataKind
  /** SQL that is true for the rows of the account `:userId`; without it they are nobody's. */
  of?: string
  /** Columns that its account is told. */
  told?: readonly string[]
  /** The others: hashes, keys, and what only moves bytes. */
  untold?: readonly string[]
  /** Columns that tell rows apart. */
  key?: readonly string[]
}

/** By the name of the table. */
export type StoredData = Readonly<Record<string, StoredTable>>

/** Tables that belong to no service. */
export const platformData = {
  outbox: { kind: 'notices' },
  queue_mark: { kind: 'instance' },
  rate_limits: { kind: 'attempts' },
} as const satisfies StoredData

const rowsAtOnce = 2_000

/** Tells what these tables hold of an account, a page at a time. */
export function createOwnDataList({ knex }: Database, stored: StoredData): ListOwnData {
  const tables = Object.entries(stored).filter(([, { of }]) => of !== undefined)
  return async ({ userId, after }) => {
    const { table, offset } = after ?? { table: tables[0]?.[0] ?? '', offset: 0 }
    const index = tables.findIndex(([name]) => name === table)
    const found = tables[index]?.[1]
    if (found?.of === undefined) throw new Error(`nothing of accounts is in ${table}`)
    const { of, told = [], key = ['id'] } = found
    const rows: Record<string, unknown>[] = await knex(table)
      .select(told)
      .whereRaw(of, { userId })
      .orderBy([...key])
      .offset(offset)
      .limit(rowsAtOnce)
    const next = tables[index + 1]?.[0]
    const isMore = rows.length === rowsAtOnce
    return {
      table,
      rows: rows.map(toJson),
      after: isMore
        ? { table, offset: offset + rowsAtOnce }
        : next === undefined
          ? null
          : { table: next, offset: 0 },
    }
  }
}

/** Digests as hexadecimal digits. */
function toJson(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      Buffer.isBuffer(value) ? value.toString('hex') : value,
    ]),
  )
}
