import type { ComponentType } from 'react'
import { loadRestOfCatalogue } from '../shared/i18n/catalogues.ts'

type PageModule = () => Promise<{ Page: ComponentType }>

/** Every page is a chunk of its own, fetched when its address is opened or a link to it is near. */
export const pages = {
  home: () => import('../features/home/pages/HomePage.tsx'),
  signIn: () => import('../features/auth/pages/SignInPage.tsx'),
  totp: () => import('../features/auth/pages/TotpPage.tsx'),
  resetRequest: () => import('../features/auth/pages/ResetRequestPage.tsx'),
  newPassword: () => import('../features/auth/pages/NewPasswordPage.tsx'),
  signUp: () => import('../features/auth/pages/SignUpPage.tsx'),
  upload: () => import('../features/upload/pages/UploadPage.tsx'),
  reverseUpload: () => import('../features/upload/pages/ReverseUploadPage.tsx'),
  share: () => import('../features/share-view/pages/ShareViewPage.tsx'),
  shareEdit: () => import('../features/share-edit/pages/ShareEditPage.tsx'),
  shareActivity: () => import('../features/share-activity/pages/ShareActivityPage.tsx'),
  account: () => import('../features/account/pages/AccountPage.tsx'),
  reverseShares: () => import('../features/reverse-shares/pages/ReverseSharesPage.tsx'),
  myShares: () => import('../features/my-shares/pages/MySharesPage.tsx'),
  admin: () => import('../features/admin/pages/AdminPage.tsx'),
  adminIntro: () => import('../features/admin/pages/IntroPage.tsx'),
  adminUsers: () => import('../features/admin/pages/UsersPage.tsx'),
  adminShares: () => import('../features/admin/pages/SharesPage.tsx'),
  adminAudit: () => import('../features/admin/pages/AuditPage.tsx'),
  adminConfig: () => import('../features/admin/pages/ConfigPage.tsx'),
  error: () => import('../features/errors/pages/ErrorPage.tsx'),
  notFound: () => import('../features/errors/pages/NotFoundPage.tsx'),
} satisfies Record<string, PageModule>

const table: readonly (readonly [RegExp, PageModule])[] = [
  [/^\/$/, pages.home],
  [/^\/auth\/signIn\/?$/, pages.signIn],
  [/^\/auth\/signUp\/?$/, pages.signUp],
  [/^\/auth\/totp\/[^/]+\/?$/, pages.totp],
  [/^\/auth\/resetPassword\/?$/, pages.resetRequest],
  [/^\/auth\/resetPassword\/[^/]+\/?$/, pages.newPassword],
  [/^\/upload\/?$/, pages.upload],
  [/^\/upload\/[^/]+\/?$/, pages.reverseUpload],
  [/^\/share\/[^/]+\/edit\/?$/, pages.shareEdit],
  [/^\/share\/[^/]+\/activity\/?$/, pages.shareActivity],
  [/^\/(?:share|s)\/[^/]+\/?$/, pages.share],
  [/^\/account\/?$/, pages.account],
  [/^\/account\/shares\/?$/, pages.myShares],
  [/^\/account\/reverseShares\/?$/, pages.reverseShares],
  [/^\/admin\/?$/, pages.admin],
  [/^\/admin\/intro\/?$/, pages.adminIntro],
  [/^\/admin\/users\/?$/, pages.adminUsers],
  [/^\/admin\/shares\/?$/, pages.adminShares],
  [/^\/admin\/audit\/?$/, pages.adminAudit],
  [/^\/admin\/config\/[^/]+\/?$/, pages.adminConfig],
  [/^\/error\/?$/, pages.error],
]

/** Fetches what an address shows, ahead of its turn: a failure is left to whoever shows it. */
export function preparePage(path: string, locale: string): void {
  const page = table.find(([pattern]) => pattern.test(path))?.[1] ?? pages.notFound
  page().catch(() => undefined)
  if (page !== pages.share) loadRestOfCatalogue(locale).catch(() => undefined)
}
