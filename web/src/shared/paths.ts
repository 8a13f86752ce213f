import {
  type ArchivePart,
  pagePath,
  redirectPathSchema,
  shortSharePath,
  type SocialErrorCode,
  type SocialProvider,
} from '@floe/contracts'

/** Every address of the page, from the table of pages. */
export const paths = {
  home: pagePath('home'),
  upload: pagePath('upload'),
  /** Where others send files to the owner of the link. */
  reverseUpload: (token: string) => pagePath('reverseUpload', { token }),
  signIn: pagePath('signIn'),
  signInAndReturn: (path: string) => `${pagePath('signIn')}?redirect=${encodeURIComponent(path)}`,
  signUp: pagePath('signUp'),
  /** The second step of signing in; `redirect` is where that leads in the end. */
  totp: (loginToken: string, redirect: string) =>
    `${pagePath('totp', { loginToken })}?redirect=${encodeURIComponent(redirect)}`,
  resetPassword: pagePath('resetPassword'),
  account: pagePath('account'),
  myShares: pagePath('myShares'),
  reverseShares: pagePath('reverseShares'),
  /** With the dialog for a new one. */
  newReverseShare: `${pagePath('reverseShares')}?create`,
  /** With the dialog that shows the link of one. */
  reverseShareLink: (token: string) =>
    `${pagePath('reverseShares')}?link=${encodeURIComponent(token)}`,
  share: (id: string) => pagePath('share', { id }),
  shortShare: shortSharePath,
  editShare: (id: string) => pagePath('editShare', { id }),
  shareActivity: (id: string) => pagePath('shareActivity', { id }),
  admin: pagePath('admin'),
  adminIntro: pagePath('adminIntro'),
  adminUsers: pagePath('adminUsers'),
  adminShares: pagePath('adminShares'),
  adminAudit: pagePath('adminAudit'),
  adminWebhooks: pagePath('adminWebhooks'),
  adminConfig: (category: string) => pagePath('adminConfig', { category }),
  error: pagePath('error'),
  socialError: (code: SocialErrorCode, provider: SocialProvider, redirect: string) =>
    `${pagePath('error')}?error=${code}&params=provider_${provider}&redirect=${encodeURIComponent(redirect)}`,
} as const

export const apiPaths = {
  /** Leaves for the provider, to sign in or to link an account; comes back at `redirect`. */
  social: (provider: SocialProvider, redirect: string) =>
    `/api/oauth/auth/${provider}?redirect=${encodeURIComponent(redirect)}`,
  socialCallback: (provider: SocialProvider) => `/api/oauth/callback/${provider}`,
  file: (shareId: string, fileId: string) =>
    `/api/shares/${encodeURIComponent(shareId)}/files/${encodeURIComponent(fileId)}`,
  thumbnail: (shareId: string, fileId: string) =>
    `/api/shares/${encodeURIComponent(shareId)}/files/${encodeURIComponent(fileId)}/thumbnail`,
  archive: (shareId: string, part: ArchivePart = {}) =>
    `/api/shares/${encodeURIComponent(shareId)}/files/zip${queryOf(part)}`,
  checksums: (shareId: string) => `/api/shares/${encodeURIComponent(shareId)}/files/SHA256SUMS`,
} as const

function queryOf({ folder, selection }: ArchivePart): string {
  if (folder !== undefined) return `?folder=${encodeURIComponent(folder)}`
  return selection === undefined ? '' : `?selection=${selection}`
}

/** A path of this site, or `null`: nothing that leaves the site in any browser. */
export function safeRedirect(path: string | null): string | null {
  return redirectPathSchema.safeParse(path).data ?? null
}
