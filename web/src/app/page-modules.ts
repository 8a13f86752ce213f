import type { PageName } from '@floe/contracts'

/** The module of each page below `features`, without its ending. The build reads it, too. */
export const pageModules = {
  home: 'home/pages/HomePage',
  signIn: 'auth/pages/SignInPage',
  signUp: 'auth/pages/SignUpPage',
  totp: 'auth/pages/TotpPage',
  resetPassword: 'auth/pages/ResetRequestPage',
  newPassword: 'auth/pages/NewPasswordPage',
  confirmEmail: 'auth/pages/ConfirmEmailPage',
  upload: 'upload/pages/UploadPage',
  reverseUpload: 'upload/pages/ReverseUploadPage',
  share: 'share-view/pages/ShareViewPage',
  deleteShare: 'delete-link/pages/DeleteLinkPage',
  editShare: 'share-edit/pages/ShareEditPage',
  shareActivity: 'share-activity/pages/ShareActivityPage',
  account: 'account/pages/AccountPage',
  device: 'device/pages/DevicePage',
  myShares: 'my-shares/pages/MySharesPage',
  reverseShares: 'reverse-shares/pages/ReverseSharesPage',
  admin: 'admin/pages/AdminPage',
  adminIntro: 'admin/pages/IntroPage',
  adminUsers: 'admin/pages/UsersPage',
  adminShares: 'admin/pages/SharesPage',
  adminAudit: 'admin/pages/AuditPage',
  adminWebhooks: 'admin/pages/WebhooksPage',
  adminConfig: 'admin/pages/ConfigPage',
  imprint: 'legal/pages/LegalPage',
  privacy: 'legal/pages/LegalPage',
  storedData: 'stored-data/pages/StoredDataPage',
  error: 'errors/pages/ErrorPage',
} as const satisfies Record<PageName, string>

export const notFoundModule = 'errors/pages/NotFoundPage'

export type PageModule = (typeof pageModules)[PageName] | typeof notFoundModule

export function moduleOf(page: PageName | null): PageModule {
  return page === null ? notFoundModule : pageModules[page]
}
