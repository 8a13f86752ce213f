/**
 * The page of each address, by its module in `features`. The first pattern that fits counts, and
 * the last one fits every path. The build reads it too, to tell the gateway what a page consists of.
 */
export const addresses = [
  [/^\/$/, 'home/pages/HomePage'],
  [/^\/auth\/signIn\/?$/, 'auth/pages/SignInPage'],
  [/^\/auth\/signUp\/?$/, 'auth/pages/SignUpPage'],
  [/^\/auth\/totp\/[^/]+\/?$/, 'auth/pages/TotpPage'],
  [/^\/auth\/resetPassword\/?$/, 'auth/pages/ResetRequestPage'],
  [/^\/auth\/resetPassword\/[^/]+\/?$/, 'auth/pages/NewPasswordPage'],
  [/^\/auth\/verify\/[^/]+\/?$/, 'auth/pages/ConfirmEmailPage'],
  [/^\/upload\/?$/, 'upload/pages/UploadPage'],
  [/^\/upload\/[^/]+\/?$/, 'upload/pages/ReverseUploadPage'],
  [/^\/share\/[^/]+\/edit\/?$/, 'share-edit/pages/ShareEditPage'],
  [/^\/share\/[^/]+\/activity\/?$/, 'share-activity/pages/ShareActivityPage'],
  [/^\/(?:share|s)\/[^/]+\/?$/, 'share-view/pages/ShareViewPage'],
  [/^\/account\/?$/, 'account/pages/AccountPage'],
  [/^\/account\/shares\/?$/, 'my-shares/pages/MySharesPage'],
  [/^\/account\/reverseShares\/?$/, 'reverse-shares/pages/ReverseSharesPage'],
  [/^\/admin\/?$/, 'admin/pages/AdminPage'],
  [/^\/admin\/intro\/?$/, 'admin/pages/IntroPage'],
  [/^\/admin\/users\/?$/, 'admin/pages/UsersPage'],
  [/^\/admin\/shares\/?$/, 'admin/pages/SharesPage'],
  [/^\/admin\/audit\/?$/, 'admin/pages/AuditPage'],
  [/^\/admin\/config\/[^/]+\/?$/, 'admin/pages/ConfigPage'],
  [/^\/error\/?$/, 'errors/pages/ErrorPage'],
  [/(?:)/, 'errors/pages/NotFoundPage'],
] as const

export type PageModule = (typeof addresses)[number][1]

/** Visitors of a share load the texts of the frame alone, see `frame-sections.ts`. */
export const needsAllTexts = (module: PageModule) => module !== 'share-view/pages/ShareViewPage'

export function findPage(path: string): PageModule {
  return addresses.find(([pattern]) => pattern.test(path))?.[1] ?? 'errors/pages/NotFoundPage'
}
