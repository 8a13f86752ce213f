import { SourceError } from '../source.ts'
import { type Columns, requireTables } from '../sqlite/tables.ts'

const PROBES = [
  ['User', 'isActivated', 'Pingvin Share X'],
  ['Share', 'storageProvider', 'Pingvin Share 1.7 or later'],
  ['User', 'ldapDN', 'Pingvin Share 1.0 or later'],
  ['ReverseShare', 'publicAccess', 'Pingvin Share 0.29 or later'],
  ['Share', 'name', 'Pingvin Share 0.24 or later'],
  ['OAuthUser', 'provider', 'Pingvin Share 0.19 or later'],
] as const

const ESSENTIAL = [
  'User',
  'Share',
  'ShareRecipient',
  'File',
  'ShareSecurity',
  'ReverseShare',
  'Config',
] as const

/** The product by the tables that it has. Fails with `SourceError` for others and for old ones. */
export function detectVersion(columns: Columns): string {
  const has = (table: string, column: string) => columns.get(table)?.has(column) ?? false
  if (has('Config', 'key')) {
    throw new SourceError('this Pingvin Share is older than 0.20; bring it up to date first.')
  }
  requireTables(columns, 'Pingvin Share', ESSENTIAL)
  const found = PROBES.find(([table, column]) => has(table, column))
  if (!found)
    throw new SourceError('this Pingvin Share is older than 0.20; bring it up to date first.')
  return found[2]
}
