import { redirectPathSchema, type SocialErrorCode, type SocialProvider } from '@floe/contracts'

/** Every address of the page, built in one place. */
export const paths = {
  home: '/',
  upload: '/upload',
  /** Where others send files to whoever made the link. */
  reverseUpload: (token: string) => `/upload/${encodeURIComponent(token)}`,
  signIn: '/auth/signIn',
  signInAndReturn: (path: string) => `/auth/signIn?redirect=${encodeURIComponent(path)}`,
  signUp: '/auth/signUp',
  /** The second step of signing in; `redirect` is where that leads in the end. */
  totp: (loginToken: string, redirect: string) =>
    `/auth/totp/${encodeURIComponent(loginToken)}?redirect=${encodeURIComponent(redirect)}`,
  resetPassword: '/auth/resetPassword',
  account: '/account',
  myShares: '/account/shares',
  reverseShares: '/account/reverseShares',
  share: (id: string) => `/share/${encodeURIComponent(id)}`,
  shortShare: (id: string) => `/s/${encodeURIComponent(id)}`,
  editShare: (id: string) => `/share/${encodeURIComponent(id)}/edit`,
  shareActivity: (id: string) => `/share/${encodeURIComponent(id)}/activity`,
  admin: '/admin',
  adminIntro: '/admin/intro',
  adminUsers: '/admin/users',
  adminShares: '/admin/shares',
  adminAudit: '/admin/audit',
  adminConfig: (category: string) => `/admin/config/${category}`,
  error: '/error',
  socialError: (code: SocialErrorCode, provider: SocialProvider, redirect: string) =>
    `/error?error=${code}&params=provider_${provider}&redirect=${encodeURIComponent(redirect)}`,
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
  archive: (shareId: string) => `/api/shares/${encodeURIComponent(shareId)}/files/zip`,
  checksums: (shareId: string) => `/api/shares/${encodeURIComponent(shareId)}/files/SHA256SUMS`,
} as const

/** A path of this site, or `null`: nothing that leaves the site in any browser. */
export function safeRedirect(path: string | null): string | null {
  return redirectPathSchema.safeParse(path).data ?? null
}
