/** Pages of the web application. Any other path shows its "not found" page, with status 404. */
const pages: readonly [name: string, paths: RegExp][] = [
  ['/', /^\/$/],
  ['/upload', /^\/upload$/],
  ['/upload/:token', /^\/upload\/[^/]+$/],
  ['/auth/:page', /^\/auth\/(?:signIn|signUp|resetPassword|verify)$/],
  ['/auth/:page/:token', /^\/auth\/(?:totp|resetPassword|verify)\/[^/]+$/],
  ['/account/:page', /^\/account(?:\/[A-Za-z]+)?$/],
  ['/admin/:page', /^\/admin(?:\/(?:intro|users|shares|status|audit|config(?:\/[^/]+)?))?$/],
  ['/share/:id', /^\/share\/[^/]+$/],
  ['/share/:id/edit', /^\/share\/[^/]+\/edit$/],
  ['/share/:id/activity', /^\/share\/[^/]+\/activity$/],
  ['/error', /^\/error$/],
  ['/imprint', /^\/imprint$/],
  ['/privacy', /^\/privacy$/],
]

/** What logs and figures call the page of a path: never by what stood in it. */
export function findPage(path: string): string | null {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return pages.find(([, paths]) => paths.test(trimmed))?.[0] ?? null
}

export function isPagePath(path: string): boolean {
  return findPage(path) !== null
}

/** Here only files live: a missing one is missing, never the page. */
export function isFilePath(path: string): boolean {
  return path.startsWith('/assets/') || path.startsWith('/img/')
}
