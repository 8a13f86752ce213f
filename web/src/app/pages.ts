import type { ComponentType } from 'react'

type PageModule = () => Promise<{ Page: ComponentType }>

/** Every page is a chunk of its own, fetched when its address is opened or a link to it is near. */
export const pages = {
  home: () => import('../features/home/pages/HomePage.tsx'),
  signIn: () => import('../features/auth/pages/SignInPage.tsx'),
  signUp: () => import('../features/auth/pages/SignUpPage.tsx'),
  upload: () => import('../features/upload/pages/UploadPage.tsx'),
  share: () => import('../features/share-view/pages/ShareViewPage.tsx'),
  shareEdit: () => import('../features/share-edit/pages/ShareEditPage.tsx'),
  account: () => import('../features/account/pages/AccountPage.tsx'),
  myShares: () => import('../features/my-shares/pages/MySharesPage.tsx'),
  admin: () => import('../features/admin/pages/AdminPage.tsx'),
  adminIntro: () => import('../features/admin/pages/IntroPage.tsx'),
  adminConfig: () => import('../features/admin/pages/ConfigPage.tsx'),
  error: () => import('../features/errors/pages/ErrorPage.tsx'),
  notFound: () => import('../features/errors/pages/NotFoundPage.tsx'),
} satisfies Record<string, PageModule>

const table: readonly (readonly [RegExp, PageModule])[] = [
  [/^\/$/, pages.home],
  [/^\/auth\/signIn\/?$/, pages.signIn],
  [/^\/auth\/signUp\/?$/, pages.signUp],
  [/^\/upload\/?$/, pages.upload],
  [/^\/share\/[^/]+\/edit\/?$/, pages.shareEdit],
  [/^\/(?:share|s)\/[^/]+\/?$/, pages.share],
  [/^\/account\/?$/, pages.account],
  [/^\/account\/shares\/?$/, pages.myShares],
  [/^\/admin\/?$/, pages.admin],
  [/^\/admin\/intro\/?$/, pages.adminIntro],
  [/^\/admin\/config\/[^/]+\/?$/, pages.adminConfig],
  [/^\/error\/?$/, pages.error],
]

/** How to load the page that an address shows; `undefined` for an address without a page. */
export function pageModuleFor(path: string): PageModule | undefined {
  return table.find(([pattern]) => pattern.test(path))?.[1]
}
