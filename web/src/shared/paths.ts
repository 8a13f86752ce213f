/** Every address of the page, built in one place. */
export const paths = {
  home: '/',
  upload: '/upload',
  signIn: '/auth/signIn',
  signInAndReturn: (path: string) => `/auth/signIn?redirect=${encodeURIComponent(path)}`,
  signUp: '/auth/signUp',
  account: '/account',
  myShares: '/account/shares',
  share: (id: string) => `/share/${encodeURIComponent(id)}`,
  shortShare: (id: string) => `/s/${encodeURIComponent(id)}`,
  editShare: (id: string) => `/share/${encodeURIComponent(id)}/edit`,
  admin: '/admin',
  adminIntro: '/admin/intro',
  adminConfig: (category: string) => `/admin/config/${category}`,
  error: '/error',
} as const

export const apiPaths = {
  file: (shareId: string, fileId: string) =>
    `/api/shares/${encodeURIComponent(shareId)}/files/${encodeURIComponent(fileId)}`,
  archive: (shareId: string) => `/api/shares/${encodeURIComponent(shareId)}/files/zip`,
} as const

/**
 * A path of this site, or `null`. `//host` and `/\host` leave the site in every browser, so exactly
 * one leading slash is accepted.
 */
export function safeRedirect(path: string | null): string | null {
  if (path === null || !/^\/(?![/\\])[^\u0000-\u001f]*$/.test(path)) return null
  return path
}
