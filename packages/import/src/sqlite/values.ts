import { SourceError } from '../source.ts'

export type Value = number | bigint | string | Uint8Array | null
export type Row = Record<string, Value>

/**
 * A row of a column that may have another type than was declared: SQLite keeps what it is given.
 * A column that this version does not have reads as null.
 */
export function textOrNull(row: Row, column: string): string | null {
  const value = row[column] ?? null
  if (value === null) return null
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value)
}

export function text(row: Row, column: string): string {
  const value = textOrNull(row, column)
  if (value === null) throw new SourceError(`a row has no ${column}`)
  return value
}

/** 0 and 1, as numbers, texts or words. */
export function flag(row: Row, column: string, otherwise = false): boolean {
  const value = textOrNull(row, column)
  return value === null ? otherwise : value === '1' || value.toLowerCase() === 'true'
}

/** A whole number that is not negative; sizes are decimal texts. */
export function amount(row: Row, column: string): number | null {
  const value = textOrNull(row, column)
  if (value === null || !/^\d+(?:\.0*)?$/.test(value.trim())) return null
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
}

const sqlDate = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/

/**
 * Milliseconds since 1970 where Prisma wrote it, `YYYY-MM-DD HH:MM:SS` in UTC where SQL did, else
 * RFC 3339. Null for anything else.
 */
export function date(row: Row, column: string): Date | null {
  const value = textOrNull(row, column)?.trim()
  if (value === undefined || value === '') return null
  if (/^-?\d+(?:\.0*)?$/.test(value)) return validDate(Number(value))
  const sql = sqlDate.exec(value)
  return validDate(sql ? `${sql[1]}T${sql[2] ?? '00:00:00'}Z` : value)
}

function validDate(value: number | string): Date | null {
  const parsed = new Date(value)
  return Number.isNaN(parsed.getTime()) ? null : parsed
}

export function groupBy(rows: readonly Row[], column: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = textOrNull(row, column)
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
