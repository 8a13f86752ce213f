/** Pages of the web application. Any other path shows its "not found" page, with status 404. */
const pagePatterns = [
  /^\/$/,
  /^\/upload(?:\/[^/]+)?$/,
  /^\/auth\/(?:signIn|signUp|resetPassword|verify)$/,
  /^\/auth\/(?:totp|resetPassword|verify)\/[^/]+$/,
  /^\/account(?:\/[A-Za-z]+)?$/,
  /^\/admin(?:\/(?:intro|users|shares|status|audit|config(?:\/[^/]+)?))?$/,
  /^\/share\/[^/]+(?:\/(?:edit|activity))?$/,
  /^\/error$/,
  /^\/imprint$/,
  /^\/privacy$/,
]

export function isPagePath(path: string): boolean {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return pagePatterns.some((pattern) => pattern.test(trimmed))
}

/** Here only files live: a missing one is missing, never the page. */
export function isFilePath(path: string): boolean {
  return path.startsWith('/assets/') || path.startsWith('/img/')
}
