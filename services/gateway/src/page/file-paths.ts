/** Only files live here: a missing one is missing, never the page. */
export function isFilePath(path: string): boolean {
  return path.startsWith('/assets/') || path.startsWith('/img/')
}
