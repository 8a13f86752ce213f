import { paths } from '../shared/paths.ts'

/** How an entry of the menus stands to the page that is open: its page, or one that belongs to it. */
export function currentEntry(path: string, entry: string): 'page' | 'true' | undefined {
  if (path === entry) return 'page'
  return entry === paths.admin && path.startsWith(`${paths.admin}/`) ? 'true' : undefined
}
